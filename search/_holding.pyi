STOPPED: int
NO_MEMORY: int

class HoldSearch:
    """A search for one side on one board; what is learned is kept from one depth, and one slice, to the next."""

    def __init__(self, rows: int, cols: int, holder: int, most_memory: int = ...) -> None: ...
    def search(self, stones: bytes, holder_moves: bool, depth: int, steps: int) -> int:
        """Search for a tree in which the opponent moves so often at most before a pairing: its root, -1 if there is
        none as far as the search looks, ``STOPPED`` after so many steps, ``NO_MEMORY`` when that is used up."""
    @property
    def steps(self) -> int:
        """Partial pairings looked at so far."""
    @property
    def positions(self) -> int:
        """Positions met so far."""
    def body(self, root: int) -> tuple[bytes, int, tuple[int, int, int]]:
        """The nodes below a root as bytes, where the root begins, and how many pairings, replies and moves they are."""
