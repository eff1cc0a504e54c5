# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whether the side to move wins within n plies under freestyle rules, whatever either side plays.

The solver denies wins by moves that threaten continuous fours; this search denies every win, and so only short ones. It
stays exact by leaving out no more than what cannot win:

- Another stone never hurts a side under freestyle rules, so passing is never the defender's best. A move that makes no
  four therefore has to win within n - 2 plies if the defender passes.
- With five plies left that means that the move makes a straight four or a double four possible, so it extends a line of
  the attacker's to three. With seven it extends a line to two at least, or stands in one of the defender's.
- If the attacker wins by continuous fours after a pass, only replies in the zone of that line can help.
"""

cimport cython
from libc.stdint cimport INT64_MAX
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from search._control import STOP_NAMES

from gomoku_patterns._basics cimport lowest_bit
from search._control cimport Control
from search._fours cimport FourSearch
from search._threats cimport (
    FIVE_SET, FOURS, KILL_SET, LIVE_TWOS, MOVES, SLEEPING_THREES, SPAN, THREES, WORDS, ThreatBoard, holds,
    place_of, put,
)

cdef enum:
    WON = 1
    NOT_WON = 0
    STOPPED = -1
    ENTRIES = 1 << 16

cdef uint64_t PLIES_SALT = 0xD6E8FEB86659FD93ULL
cdef uint64_t ERA_SALT = 0xA0761D6478BD642FULL


@cython.final
cdef class WithinSearch:
    """Asks for wins within n plies on boards of one size, freestyle."""

    def __cinit__(self):
        self.known = <uint64_t*>calloc(ENTRIES, sizeof(uint64_t))
        if self.known == NULL:
            raise MemoryError

    def __init__(self, board):
        self.board = ThreatBoard(board, "freestyle")
        self.fours = FourSearch(self.board, None, 1 << 16)
        self.era = 0

    def __dealloc__(self):
        free(self.known)

    @property
    def nodes_searched(self):
        return self.fours.nodes

    @property
    def stopped_by(self):
        return STOP_NAMES.get(self.fours.stop) or "complete"

    def solve(self, board, int plies, Control control, nodes_limit=None, without=()):
        """1 if the side to move wins within so many plies, 0 if not, -1 if the limit came first.

        The cells ``without`` are not played as first moves.
        """
        cdef int result
        self.board.reset(board)
        self.attacker = int(board.turn) - 1
        self.era += 1
        memset(self.barred, 0, sizeof(self.barred))
        memset(self.killers, 0, sizeof(self.killers))
        for row, col in without:
            put(self.barred, place_of(row, col))
        self.fours.clear()
        self.fours.control = control
        self.fours.nodes = self.fours.check_at = control.nodes
        self.fours.node_limit = INT64_MAX if nodes_limit is None else nodes_limit
        self.fours.stop = 0
        with nogil:
            result = self._attack(min(plies, 511), True)
        control.nodes = self.fours.nodes
        return result

    cdef int _attack(self, int plies, bint first) noexcept nogil:
        """Whether the attacker, to move, wins within so many plies; what was settled before is looked up."""
        cdef int side = self.attacker, other = side ^ 1, result, number, size
        cdef uint64_t key, entry
        cdef uint16_t fives[SPAN]
        size = self.board.members(side, FIVE_SET, fives)
        for number in range(size):
            if not first or not holds(self.barred, fives[number]):
                return WON
        if plies < 3 or self.board.sizes[other][FIVE_SET] > 1:
            return NOT_WON
        if first:
            return self._by_moves(plies, True)
        key = (self.board.hash ^ plies * PLIES_SALT ^ self.era * ERA_SALT) & ~<uint64_t>1
        entry = self.known[(key >> 1) & (ENTRIES - 1)]
        if entry & ~<uint64_t>1 == key and entry:
            return entry & 1
        result = self._by_moves(plies, False)
        if result != STOPPED:
            self.known[(key >> 1) & (ENTRIES - 1)] = key | <uint64_t>result
        return result

    cdef int _by_moves(self, int plies, bint first) noexcept nogil:
        cdef int side = self.attacker, place, word, result
        cdef uint64_t rest
        if self.board.sizes[side ^ 1][FIVE_SET]:
            place = self.board.first(side ^ 1, FIVE_SET)
            return NOT_WON if first and holds(self.barred, place) else self._move(place, plies)
        if not first and self.board.sizes[side][KILL_SET]:
            return WON
        if plies == 3 and not first:
            return NOT_WON
        if not first and self.fours.win_within(side, INT64_MAX // 2, (plies + 1) // 2):
            return WON
        for word in range(self.board.first_word, self.board.last_word + 1):
            rest = ~<uint64_t>0
            while rest:
                place = word * 64 + lowest_bit(rest)
                rest &= rest - 1
                if self.board.stone[place] or (first and holds(self.barred, place)):
                    continue
                if not self._worth(place, plies):
                    continue
                result = self._move(place, plies)
                if result != NOT_WON:
                    return result
        return STOPPED if self.fours.stop else NOT_WON

    cdef bint _worth(self, int place, int plies) noexcept nogil:
        """Whether a move that is no answer to a four can win in so many plies at all."""
        cdef int side = self.attacker
        if plies <= 3:
            return self.board.count[side][place] & FOURS
        if plies <= 5:
            return self.board.count[side][place] & (FOURS | THREES | SLEEPING_THREES | LIVE_TWOS)
        if plies <= 7:
            return self.board.count[side][place] | self.board.count[side ^ 1][place]
        return True

    cdef int _move(self, int place, int plies) noexcept nogil:
        """Whether this move wins within so many plies, itself included; three at least."""
        cdef int side = self.attacker, other = side ^ 1, result, answer
        if not self.fours.count():
            return STOPPED
        self.board.play(place, side)
        if self.board.sizes[other][FIVE_SET] or self.board.empty == 0:
            result = NOT_WON
        elif self.board.sizes[side][FIVE_SET] > 1:
            result = WON
        elif self.board.sizes[side][FIVE_SET]:
            answer = self.board.first(side, FIVE_SET)
            self.board.play(answer, other)
            result = self._attack(plies - 2, False)
            self.board.undo()
        elif plies < 5 or self.board.sizes[other][KILL_SET]:
            result = NOT_WON
        else:
            result = self._quiet(plies - 1)
        self.board.undo()
        return result

    cdef int _quiet(self, int plies) noexcept nogil:
        """Whether the attacker wins after a move that made no four, the defender to move with so many plies left."""
        cdef uint64_t zone[WORDS]
        cdef int side = self.attacker, word, place, result, killer = self.killers[plies]
        memset(zone, 0, sizeof(zone))
        if self.fours.win_within(side, INT64_MAX // 2, plies // 2):
            self.fours.replay(self.fours.line, self.fours.length, side, zone)
        elif self.fours.stop:
            return STOPPED
        elif plies <= 4:
            return NOT_WON
        else:
            result = self._attack(plies - 1, False)
            if result != WON:
                return result
            memset(zone, 0xFF, sizeof(zone))
        if killer and self.board.stone[killer] == 0 and holds(zone, killer):
            result = self._reply(killer, plies)
            if result != WON:
                return result
        for word in range(self.board.first_word, self.board.last_word + 1):
            while zone[word]:
                place = word * 64 + lowest_bit(zone[word])
                zone[word] &= zone[word] - 1
                if self.board.stone[place] == 0 and place != killer:
                    result = self._reply(place, plies)
                    if result != WON:
                        return result
        return WON

    cdef int _reply(self, int place, int plies) noexcept nogil:
        cdef int result
        if not self.fours.count():
            return STOPPED
        self.board.play(place, self.attacker ^ 1)
        result = self._attack(plies - 1, False)
        self.board.undo()
        if result == NOT_WON:
            self.killers[plies] = place
        return result
