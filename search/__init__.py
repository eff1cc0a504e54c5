"""Everything that looks ahead."""
