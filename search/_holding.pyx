# cython: language_level=3
"""The search for a way to hold a position, :file:`holding.c`."""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free

cdef extern from "holding.c" nogil:
    ctypedef struct Holding:
        uint64_t steps
        uint64_t positions
    ctypedef struct Output:
        uint8_t* bytes
        uint64_t count
        uint32_t[3] written
    Holding* new_holding(int rows, int cols, uint64_t most_memory)
    void free_holding(Holding* holding)
    int search_holding(
        Holding* holding, const uint8_t* stones, int holder, int holder_moves, int depth, uint64_t steps
    )
    int write_holding(Holding* holding, int root, Output* out, uint64_t* root_at)

STOPPED, NO_MEMORY = -2, -3


@cython.final
cdef class HoldSearch:
    """A search for one side on one board; what is learned is kept from one depth, and one slice, to the next."""

    cdef Holding* holding
    cdef int cells, holder

    def __cinit__(self, int rows, int cols, int holder, uint64_t most_memory=<uint64_t>1 << 62):
        if rows < 5 or cols < 5 or rows * cols > 128:
            raise ValueError(f"expected a board of at most 128 cells, found {rows}x{cols}")
        self.cells, self.holder = rows * cols, holder
        self.holding = new_holding(rows, cols, most_memory)
        if self.holding == NULL:
            raise MemoryError

    def __dealloc__(self):
        free_holding(self.holding)

    def search(self, bytes stones, bint holder_moves, int depth, uint64_t steps):
        """Search for a tree in which the opponent moves so often at most before a pairing: its root, -1 if there is none
        as far as the search looks, ``STOPPED`` after so many steps, ``NO_MEMORY`` when that is used up."""
        cdef const uint8_t* first = <const uint8_t*><char*>stones
        cdef int found
        if len(stones) != self.cells:
            raise ValueError(f"expected {self.cells} cells, found {len(stones)}")
        with nogil:
            found = search_holding(self.holding, first, self.holder, holder_moves, depth, steps)
        return found

    @property
    def steps(self):
        """Partial pairings looked at so far."""
        return self.holding.steps

    @property
    def positions(self):
        """Positions met so far."""
        return self.holding.positions

    def body(self, int root):
        """The nodes below a root as bytes, where the root begins, and how many pairings, replies and moves they are."""
        cdef Output out
        cdef uint64_t at
        if not write_holding(self.holding, root, &out, &at):
            free(out.bytes)
            raise MemoryError
        try:
            return out.bytes[:out.count], at, (out.written[0], out.written[1], out.written[2])
        finally:
            free(out.bytes)
