class Geometry:
    rows: int
    cols: int
    cells: int
    lines: int

def geometry(rows: int, cols: int) -> Geometry:
    """The lines of boards of this size, made once."""
