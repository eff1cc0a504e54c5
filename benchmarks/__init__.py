"""Speed suites: peers measured side by side in one run. ``python -m benchmarks`` prints every figure as a ratio."""
