COMPILER: str
"""The C compiler that built the native modules, with its version."""

class Geometry:
    rows: int
    cols: int
    cells: int
    lines: int

def geometry(rows: int, cols: int) -> Geometry:
    """The lines of boards of this size, made once."""
