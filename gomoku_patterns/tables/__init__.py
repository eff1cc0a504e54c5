"""The built-in pattern tables, one TOML file each."""
