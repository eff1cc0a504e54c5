# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Wins by continuous fours (VCF), depth first, with a table of what was settled.

An attempt has a budget of fours. What it exhausted is remembered as lost, what it won with the winning move; what the
budget cut off is not remembered at all. The facts are about the stones, the side to move and the rule alone, so they
stay true for as long as the object plays on its board.

Most fours lead to nothing: the stone lies on no other line of one's own, so what comes after would come without it, too. A
``choosy`` search plays only those that also make a three, live or sleeping, and needs a thirtieth of the fours; it misses a third
of the wins, and what they cost is worth more in the search that asks.

A win is a line of the attacker's moves alone, ending in five: the defender's answers follow from the stones. It may be
replayed on another position, where it works or does not: that is how a proof's threats are checked.
"""

cimport cython
from libc.stdlib cimport calloc, free
from libc.stdint cimport INT64_MAX
from libc.string cimport memcpy, memset

from search._control cimport STOP_NODES
from search._threats cimport (
    FIVE_SET, FOUR_SET, KILL_SET, LIVE_TWOS, ONE_LIVE_TWO, ONE_SLEEPING_THREE, ONE_THREE, SLEEPING_THREES, THREES,
    TWO_OR_MORE_FOURS, holds, put,
)

cdef enum:
    PROMISING = TWO_OR_MORE_FOURS | THREES | SLEEPING_THREES    # beside the four
    LOST = 0xFFFF
    UNSETTLED = -1
    WAYS = 4                # entries of a bucket: one cache line
    SMALLEST = 1 << 14      # entries to begin with
    LAST_ERA = 0xFFFFFFFF
    CHECK_EVERY = 512

cdef uint64_t[2] SALT = [0x6A09E667F3BCC908ULL, 0xBB67AE8584CAA73BULL]


@cython.final
cdef class FourSearch:
    """Looks for continuous fours on a board that its owner plays on."""

    def __cinit__(self):
        self.table = self.small = NULL

    def __init__(self, ThreatBoard board, Control control=None, most=1 << 22, choosy=False):
        self.board = board
        self.choosy = choosy
        self.control = control
        self.most = max(SMALLEST, most)
        self.node_limit = INT64_MAX
        if self.small == NULL:
            self.small = <Verdict*>calloc(SMALLEST, sizeof(Verdict))
        if self.small == NULL:
            raise MemoryError
        if self.table == NULL:
            self.table = self.small
        self.clear()

    def __dealloc__(self):
        if self.table != self.small:
            free(self.table)
        free(self.small)

    cdef void allow(self, uint64_t bytes) noexcept nogil:
        """Let the table grow to so many bytes."""
        self.most = max(<uint64_t>SMALLEST, bytes // sizeof(Verdict))

    cdef void clear(self) noexcept nogil:
        """Forget everything, and begin as a new search does: with the small table, whatever the last one grew to.

        A larger table keeps other verdicts, so what follows would depend on what was searched before. The small one is
        not emptied: entries of an older era do not count.
        """
        if self.table != self.small:
            free(self.table)
        if self.era == LAST_ERA:
            memset(self.small, 0, SMALLEST * sizeof(Verdict))
            self.era = 0
        self.table, self.mask, self.filled, self.grows = self.small, SMALLEST - 1, 0, True
        self.era += 1

    cdef uint64_t bytes(self) noexcept nogil:
        return (self.mask + 1) * sizeof(Verdict)

    # ------------------------------------------------------------------ searching

    cdef bint count(self) noexcept nogil:
        """Count a node; whether the search may go on."""
        if self.nodes >= self.node_limit:
            self.stop = STOP_NODES
        elif self.nodes >= self.check_at and self.control is not None:
            self.check_at = self.nodes + CHECK_EVERY
            self.control.nodes = self.nodes
            self.stop = self.control.poll()
        if self.stop:
            return False
        self.nodes += 1
        return True

    cdef bint win(self, int side, long long budget) noexcept nogil:
        """Whether the side, to move, wins by continuous fours; the line is left in ``line``."""
        return self.win_within(side, budget, ANY_LENGTH)

    cdef bint win_within(self, int side, long long budget, int most_moves) noexcept nogil:
        """The same for a line of at most ``most_moves``, the five included."""
        self.attempt_ends = self.nodes + budget
        self.gave_up = False
        self.most_moves = min(most_moves, <int>ANY_LENGTH)
        return most_moves > 0 and self._win(side, 0)

    cdef bint _win(self, int side, int depth) noexcept nogil:
        cdef uint16_t moves[MOVES]
        cdef int fives, number, size, known
        cdef uint64_t key
        if self.board.sizes[side][FIVE_SET]:
            self.line[depth] = self.board.first(side, FIVE_SET)
            self.length = depth + 1
            return True
        fives = self.board.sizes[side ^ 1][FIVE_SET]
        if fives > 1 or depth + 2 > self.most_moves or not self.board.sizes[side][FOUR_SET]:
            return False
        if fives == 1:
            number = self.board.first(side ^ 1, FIVE_SET)
            return holds(self.board.sets[side][FOUR_SET], number) and self._win_by(side, number, depth)
        if self.board.sizes[side][KILL_SET] and self._won_at_once(side, depth):
            return True
        key = self.board.hash ^ SALT[side]
        if self.most_moves < ANY_LENGTH:
            key ^= <uint64_t>(self.most_moves - depth) * SALT[0]
        known = self._look_up(key)
        if known == LOST:
            return False
        if known != UNSETTLED and self.board.stone[known] == 0 and self._win_by(side, known, depth):
            return True
        size = self._fours(side, moves)
        for number in range(size):
            if moves[number] != known and self._win_by(side, moves[number], depth):
                self._store(key, moves[number])
                return True
            if self.gave_up:
                return False
        self._store(key, LOST)
        return False

    cdef bint _won_at_once(self, int side, int depth) noexcept nogil:
        """Whether a straight four or a double four can be played; the defender has no five."""
        cdef uint16_t moves[MOVES]
        cdef int number, size = self.board.members(side, KILL_SET, moves)
        for number in range(size):
            if self.board.legal(moves[number], side):
                self.board.play(moves[number], side)
                if self.board.sizes[side][FIVE_SET] > 1:
                    self.line[depth] = moves[number]
                    self.line[depth + 1] = self.board.first(side, FIVE_SET)
                    self.length = depth + 2
                    self.board.undo()
                    return True
                self.board.undo()
        return False

    cdef bint _win_by(self, int side, int place, int depth) noexcept nogil:
        """Whether this four, which leaves the defender no five, wins."""
        cdef int answer
        cdef bint won = False
        if not self.board.legal(place, side):
            return False
        if self.nodes >= self.attempt_ends or not self.count():
            self.gave_up = True
            return False
        self.board.play(place, side)
        self.line[depth] = place
        if self.board.sizes[side][FIVE_SET] == 0:
            self.board.undo()
            return False
        answer = self.board.first(side, FIVE_SET)
        if self.board.sizes[side][FIVE_SET] > 1 or not self.board.legal(answer, side ^ 1):
            self.line[depth + 1] = answer
            self.length = depth + 2
            won = True
        elif self.board.sizes[side][FOUR_SET]:
            self.board.play(answer, side ^ 1)
            won = self._win(side, depth + 1)
            self.board.undo()
        self.board.undo()
        return won

    cdef int _fours(self, int side, uint16_t* moves) noexcept nogil:
        """The moves that make a four, the promising ones first."""
        cdef int values[MOVES]
        cdef int found = self.board.members(side, FOUR_SET, moves), size = 0, number, other, value
        cdef uint32_t count
        cdef uint16_t move
        for number in range(found):
            move = moves[number]
            count = self.board.count[side][move]
            if self.choosy and not count & PROMISING:
                continue
            value = 16 * ((count & THREES) // ONE_THREE) + 5 * ((count & SLEEPING_THREES) // ONE_SLEEPING_THREE)
            value += 2 * ((count & LIVE_TWOS) // ONE_LIVE_TWO)
            if count & TWO_OR_MORE_FOURS:
                value += 64
            other = size
            size += 1
            while other > 0 and values[other - 1] < value:
                values[other] = values[other - 1]
                moves[other] = moves[other - 1]
                other -= 1
            values[other] = value
            moves[other] = move
        return size

    # ------------------------------------------------------------------ lines

    cdef int replay(self, const uint16_t* line, int length, int side, uint64_t* zone) noexcept nogil:
        """Whether the line, played by the side to move, works: a four each time and five in the end.

        With a ``zone`` it gathers where another stone of the defender makes a difference: the cells played, the cells of
        the last fives unless there are three, and those that make the defender a four somewhere on the way. Against
        each of these the line fails. (Under renju what is forbidden may hang on other stones as well.)
        """
        cdef int number, place, answer, played = 0, works = 0
        for number in range(length):
            place = line[number]
            if self.board.stone[place]:
                break
            if zone != NULL:
                put(zone, place)
            if holds(self.board.sets[side][FIVE_SET], place):
                works = 1
                self.won_length, self.won_five = number + 1, place
                break
            if not self.board.legal(place, side):
                break
            self.board.play(place, side)
            played += 1
            if self.board.sizes[side ^ 1][FIVE_SET] or not self.board.sizes[side][FIVE_SET]:
                break
            if zone != NULL:
                self._gather(side, zone)
            answer = self.board.first(side, FIVE_SET)
            if self.board.sizes[side][FIVE_SET] > 1 or not self.board.legal(answer, side ^ 1):
                works = 1
                self.won_length, self.won_five = number + 2, answer
                break
            self.board.play(answer, side ^ 1)
            played += 1
        for number in range(played):
            self.board.undo()
        return works

    cdef int cut(self, uint16_t* line) noexcept nogil:
        """End the line that was just replayed where it won; its length.

        With other stones on the board it may win sooner than where it was found: under renju an answer may be forbidden.
        """
        line[self.won_length - 1] = self.won_five
        return self.won_length

    cdef void _gather(self, int side, uint64_t* zone) noexcept nogil:
        """Add the answers to the attacker's four, if one of them could do, and the defender's fours."""
        cdef int word
        for word in range(self.board.first_word, self.board.last_word + 1):
            zone[word] |= self.board.sets[side ^ 1][FOUR_SET][word]
            if self.board.sizes[side][FIVE_SET] <= 2:
                zone[word] |= self.board.sets[side][FIVE_SET][word]

    cdef int shorten(self, uint16_t* line, int length, int side) noexcept nogil:
        """Leave out what the line can do without; the new length."""
        cdef uint16_t shorter[MOVES]
        cdef int number = 0
        while number < length - 2:
            memcpy(shorter, line, number * sizeof(uint16_t))
            memcpy(shorter + number, line + number + 1, (length - number - 1) * sizeof(uint16_t))
            if self.replay(shorter, length - 1, side, NULL) and self.won_length < length:
                # It may be won sooner than before, or by a four with two answers where the five was.
                length = self.cut(shorter)
                memcpy(line, shorter, length * sizeof(uint16_t))
            else:
                number += 1
        return length

    # ------------------------------------------------------------------ the table

    cdef Verdict* _bucket(self, uint64_t key) noexcept nogil:
        return &self.table[(key & self.mask) & ~<uint64_t>(WAYS - 1)]

    cdef int _look_up(self, uint64_t key) noexcept nogil:
        cdef Verdict* bucket = self._bucket(key)
        cdef int way
        for way in range(WAYS):
            if bucket[way].key == key and bucket[way].era == self.era:
                return bucket[way].move
        return UNSETTLED

    cdef void _store(self, uint64_t key, int move) noexcept nogil:
        cdef Verdict* bucket
        cdef int way, chosen = (key >> 60) & (WAYS - 1)
        if self.filled * 2 > self.mask and (self.mask + 1) * 2 <= self.most and self.grows:
            self._grow()
        bucket = self._bucket(key)
        for way in range(WAYS):
            if bucket[way].key == key or bucket[way].era != self.era:
                chosen = way
                break
        if bucket[chosen].era != self.era:
            self.filled += 1
        bucket[chosen].key, bucket[chosen].era, bucket[chosen].move = key, self.era, move

    cdef void _grow(self) noexcept nogil:
        """Twice the entries, if memory can be had; what was known is kept."""
        cdef uint64_t size = self.mask + 1, number
        cdef Verdict* old = self.table
        cdef Verdict* new = <Verdict*>calloc(2 * size, sizeof(Verdict))
        if new == NULL:
            self.grows = False
            return
        self.table, self.mask, self.filled = new, 2 * size - 1, 0
        for number in range(size):
            if old[number].era == self.era:
                self._store(old[number].key, old[number].move)
        if old != self.small:
            free(old)
