# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""What the trackers of the core share: what Python may ask of one, checked; and how a table scores whole boards on one.

A kind of table has a state in plain C and functions on it, which the native searches inline. Its tracker says in eight
short methods how the state is moved and read; everything here goes through these. They are virtual calls, which cost
nothing beside a call from Python, and one a board beside a batch.

Deliberately absent: undo stacks, memos, places. Each kind keeps what it needs.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from gomoku_patterns._basics cimport MAX_CELLS, MAX_LINES
from gomoku_patterns._geometry cimport (
    board_cells, board_keys, board_turn, check_batch, check_empty, check_gains, geometry,
)

from gomoku_patterns.board import Board
from gomoku_patterns.errors import BoardError

cdef enum:
    # Trackers that a table keeps for its next scores: making one costs more than a score.
    KEPT_TRACKERS = 2


cdef class CoreTracker:
    """A position with a table on it."""

    def __cinit__(self, table, Geometry geometry not None):
        self.geometry = geometry

    cdef bint load(self, const uint8_t *cells, int turn) noexcept nogil:
        """Take over a position of 0, 1, 2 and 255 (white), and forget what was played; nothing, if there are others."""
        return False

    cdef const uint8_t *stones(self) noexcept nogil:
        return NULL

    cdef int moves(self) noexcept nogil:
        """How many can be taken back."""
        return 0

    cdef int to_move(self) noexcept nogil:
        return 0

    cdef void put(self, int cell, int colour) noexcept nogil:
        """Put a stone on an empty cell, unchecked."""

    cdef void take(self) noexcept nogil:
        """Take the last stone back, unchecked."""

    cdef int64_t worth(self, int turn) noexcept nogil:
        """What the position is worth, black minus white, if a colour is to move."""
        return 0

    cdef int64_t gained(self, int cell, int colour) noexcept nogil:
        """What a stone on an empty cell gains, unchecked."""
        return 0

    def set(self, board):
        """Take over the position of a board of the same size."""
        cdef uint64_t keys[MAX_LINES]
        if board_keys(board, keys) is not self.geometry:
            size = f"{self.geometry.rows}x{self.geometry.cols}"
            raise BoardError(f"the tracker is for {size} boards, not {board.rows}x{board.cols}")
        self.load(board_cells(board, self.geometry), board_turn(board))

    def play(self, int cell, int colour):
        """Put a stone on an empty cell."""
        check_empty(self.geometry, self.stones(), cell, colour)
        self.put(cell, colour)

    def undo(self):
        """Take the last stone back."""
        if self.moves() == 0:
            raise BoardError("there is no move to take back")
        self.take()

    def gain(self, int cell, int colour):
        """What a stone of a colour on an empty cell gains, that colour to move before it, black minus white."""
        check_empty(self.geometry, self.stones(), cell, colour)
        return self.gained(cell, colour)

    def gains(self, int colour, int64_t[:, ::1] gains):
        """The gains of all empty cells; occupied ones are left as they are."""
        cdef int cell
        check_gains(self.geometry, gains, colour)
        for cell in range(self.geometry.cells):
            if self.stones()[cell] == 0:
                (&gains[0, 0])[cell] = self.gained(cell, colour)

    @property
    def score(self):
        return self.worth(self.to_move())

    @property
    def turn(self):
        return self.to_move()


cdef class LearnedTracker(CoreTracker):
    """A position with a table that has learned where the best moves are."""

    cdef int64_t prior(self, int cell, int colour) noexcept nogil:
        """How likely the best move of a colour is this empty cell, unchecked."""
        return 0

    def priors(self, int colour, int64_t[:, ::1] priors):
        """How likely the best move of a colour is each empty cell; occupied ones are left as they are."""
        cdef int cell
        cdef const uint8_t *stones = self.stones()
        check_gains(self.geometry, priors, colour)
        for cell in range(self.geometry.cells):
            if stones[cell] == 0:
                (&priors[0, 0])[cell] = self.prior(cell, colour)


cdef class TrackerTable:
    """A table that scores a board by setting up a tracker on it."""

    def __cinit__(self, *arguments):
        self.trackers = []

    cdef CoreTracker new_tracker(self, Geometry geometry):
        raise NotImplementedError

    cdef CoreTracker borrow(self, int rows, int cols):
        """A tracker of that size, from those the table keeps or new."""
        for number, tracker in enumerate(self.trackers):
            if (<CoreTracker>tracker).geometry.rows == rows and (<CoreTracker>tracker).geometry.cols == cols:
                return self.trackers.pop(number)
        del self.trackers[: len(self.trackers) - KEPT_TRACKERS + 1]
        return self.new_tracker(geometry(rows, cols))

    cdef int give_back(self, CoreTracker tracker) except -1:
        if len(self.trackers) < KEPT_TRACKERS:
            self.trackers.append(tracker)
        return 0

    def score(self, board):
        """The score of a board."""
        if not isinstance(board, Board):
            raise BoardError(f"expected a Board, found {board!r:.80}")
        cdef CoreTracker tracker = self.borrow(board.rows, board.cols)
        tracker.set(board)
        score = tracker.score
        self.give_back(tracker)
        return score

    def scores(self, const uint8_t[:, :, ::1] boards, const uint8_t[::1] turns, int64_t[::1] scores):
        """Score many boards of 0, 1, 2 or 255 into ``scores``; the first that holds anything else, or -1."""
        check_batch(boards.shape[0], turns, scores.shape[0])
        cdef CoreTracker tracker = self.borrow(boards.shape[1], boards.shape[2])
        cdef Py_ssize_t at, odd = -1
        # A board is checked and then read. Without the GIL another thread may write to the caller's array in between,
        # so both look at a copy.
        cdef uint8_t cells[MAX_CELLS]
        with nogil:
            for at in range(boards.shape[0]):
                memcpy(cells, &boards[at, 0, 0], tracker.geometry.cells)
                if not tracker.load(cells, turns[at]):
                    odd = at
                    break
                scores[at] = tracker.worth(turns[at])
        self.give_back(tracker)
        return odd
