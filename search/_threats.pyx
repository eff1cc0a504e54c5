# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Threats on a board, kept up to date move by move, for every rule but caro.

Places. A cell is a place ``(row + 5) * 32 + col + 5``: one step in a direction is one addition, and the five
columns and rows of walls around the largest board (22) make bounds checks unnecessary.

Windows. What lies on a line within reach of a place, four cells either way or, where a sixth stone matters, five, is a
number as in cell tables: a side is the number of its cells that lie on the board and, nearest first, what is on them (0
empty, 1 black, 2 white), so a stone adds one constant to it and to every neighbour's.

Kinds. One table says what a stone on that window's place would make, for black in the lower four bits and for white in the
upper: 14,641 bytes, or 132,496 where the reach is five. The kinds of the four directions are summed in one word a side,
with a few bits a kind (``count``), from which the sets are kept: five, four, straight-or-double four, live three. An
answer to a four needs no table: it is the member of the attacker's five set after the move.

``blockable`` rows of five are nothing when they are shut in at both ends, as under caro, except that a wall shuts in like
a stone, and that shutting in the second end is no answer to a four.

Absent on purpose: what a stone makes where a stone stands; values of any sort.

Forbidden points are not kept but asked for: only a place with an overline, two fours or two threes in its count can be
one, and only for two threes stones must be put on the board to see.
"""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, WHITE, bit_count, colour_of, lowest_bit, next_random, side_of, side_start
from search._field cimport WALL

from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import BoardError, IllegalMoveError
from gomoku_patterns.rules import Rule

cdef enum:
    CENTRE = 1 << 5     # of the eleven bits of a line
    # In four directions the place itself and five each way.
    CHANGES_PER_MOVE = 44

cdef enum:
    BLACK_SIDE = 0
    WHITE_SIDE = 1

cdef int[4] STEPS = [1, STRIDE, STRIDE + 1, STRIDE - 1]
cdef int[2] WAYS = [-1, 1]          # towards the head of a line, and towards its tail
cdef uint32_t[6] DIGITS = [0, 1, 3, 9, 27, 81]      # what black's stone at a distance adds to a side
cdef uint32_t[10] WEIGHTS = [
    0, ONE_SLEEPING_TWO, ONE_LIVE_TWO, ONE_SLEEPING_THREE, ONE_THREE, ONE_FOUR, 2 * ONE_FOUR,
    ONE_FOUR + ONE_STRAIGHT, ONE_FIVE, ONE_OVERLINE,
]
# By whether black makes only five, whether white does, and whether shut in rows are none. Each is built when first needed
# and published only when it is complete: another thread may look while the GIL is released.
cdef uint8_t* TABLES[8]
cdef uint64_t[2][SPAN] ZOBRIST


# ---------------------------------------------------------------------- the tables

# A line of eleven cells around a stone, as bits: bit 5 is the stone itself. All windows that matter contain it.


cdef inline bint _bounded(int own, int lowest, int length, bint only_five) noexcept nogil:
    """Whether a row would not grow longer than five beyond these cells, where that matters."""
    if not only_five:
        return True
    return not ((own >> (lowest + length)) & 1) and not (lowest > 0 and (own >> (lowest - 1)) & 1)


cdef inline bint _shut(int own, int free, int lowest) noexcept nogil:
    """Whether a row of five from here on is shut in at both ends."""
    cdef int ends = (1 << (lowest - 1)) | (1 << (lowest + 5))
    return not ends & (own | free)


cdef int _row_kind(int own, int free, bint only_five, bint blockable) noexcept nogil:
    """FIVE, OVERLINE or NOTHING for the row of own stones through the centre."""
    cdef int length = 1, bit = 6
    while bit < 11 and (own >> bit) & 1:
        length += 1
        bit += 1
    bit = 4
    while bit >= 0 and (own >> bit) & 1:
        length += 1
        bit -= 1
    if length < 5 or (length == 5 and blockable and _shut(own, free, bit + 1)):
        return NOTHING
    return OVERLINE if only_five and length > 5 else FIVE


cdef int _most_stones(int own, int free, bint only_five, bint blockable) noexcept nogil:
    """The most own stones in a window of five around the centre that can still become five."""
    # Five windows of five contain the centre; one with a stone or a wall of the other side never becomes five.
    cdef int low, window, most = 0, stones
    for low in range(1, 6):
        window = 31 << low
        if window & ~(own | free) or not _bounded(own, low, 5, only_five) or (blockable and _shut(own, free, low)):
            continue
        stones = bit_count(own & window)
        if stones > most:
            most = stones
    return most


cdef int _four_kind(int own, int free, bint only_five, bint blockable) noexcept nogil:
    """Counts the cells that would make five: one, two in one row (straight), two in two rows."""
    cdef int low, window, hole, holes = 0
    for low in range(1, 6):
        window = 31 << low
        hole = window & ~own
        if bit_count(hole) == 1 and hole & free and _bounded(own | hole, low, 5, only_five):
            if not (blockable and _shut(own, free, low)):
                holes |= hole
    if not holes:
        return NOTHING
    if bit_count(holes) == 1:
        return FOUR
    return STRAIGHT_FOUR if _is_open(own, free, 4, only_five) else TWO_FOURS


cdef int _is_open(int own, int free, int stones, bint only_five) noexcept nogil:
    """Whether four cells around the centre hold so many stones, the rest and both ends being empty."""
    cdef int low, inner, ends
    for low in range(2, 6):
        inner = 15 << low
        ends = (1 << (low - 1)) | (1 << (low + 4))
        if bit_count(own & inner) == stones and not inner & ~(own | free) and not ends & ~free:
            if _bounded(own, low - 1, 6, only_five):
                return 1
    return 0


cdef int _kind(int own, int free, bint only_five, bint blockable) noexcept nogil:
    """What the stone in the centre makes; the names are those of the enumeration."""
    cdef int kind = _row_kind(own, free, only_five, blockable), most
    if kind:
        return kind
    most = _most_stones(own, free, only_five, blockable)
    if most == 4:
        return _four_kind(own, free, only_five, blockable)
    if most == 3:
        return LIVE_THREE if _is_open(own, free, 3, only_five) else SLEEPING_THREE
    if most == 2:
        return LIVE_TWO if _is_open(own, free, 2, only_five) else SLEEPING_TWO
    return NOTHING


cdef uint8_t* _table(bint black_only_five, bint white_only_five, bint blockable, int sides) except NULL:
    cdef int which = black_only_five + 2 * white_only_five + 4 * blockable
    cdef uint8_t* table
    if TABLES[which] == NULL:
        table = <uint8_t*>malloc(sides * sides)
        if table == NULL:
            raise MemoryError
        with nogil:
            _fill(table, black_only_five, white_only_five, blockable, sides)
        if TABLES[which] == NULL:
            TABLES[which] = table
        else:       # another thread was quicker
            free(table)
    return TABLES[which]


cdef void _fill(
    uint8_t* table, bint black_only_five, bint white_only_five, bint blockable, int sides
) noexcept nogil:
    cdef int before, after, black, white, free, kinds
    for before in range(sides):
        for after in range(sides):
            black = CENTRE | _stones(before, BLACK, -1) | _stones(after, BLACK, 1)
            white = CENTRE | _stones(before, WHITE, -1) | _stones(after, WHITE, 1)
            free = _stones(before, 0, -1) | _stones(after, 0, 1)
            kinds = _kind(black, free, black_only_five, blockable)
            table[before * sides + after] = kinds | _kind(white, free, white_only_five, blockable) << 4


cdef int _stones(int half, int stone, int way) noexcept nogil:
    """The cells of a side that hold this, as bits of a line."""
    cdef int length = 0, distance, found = 0
    while half >= side_start(length + 1):
        length += 1
    half -= side_start(length)
    for distance in range(1, length + 1):
        if half % 3 == stone:
            found |= CENTRE << distance if way > 0 else CENTRE >> distance
        half //= 3
    return found


cdef void _constants() noexcept:
    cdef int side, place
    cdef uint64_t chance = 0x9E3779B97F4A7C15ULL
    for side in range(2):
        for place in range(SPAN):
            ZOBRIST[side][place] = next_random(&chance)


_constants()


# ---------------------------------------------------------------------- the board

cdef inline int _memberships(uint32_t count) noexcept nogil:
    """A bit for each set a place with this count belongs to."""
    return (
        ((count & FIVES) != 0) << FIVE_SET
        | ((count & FOURS) != 0) << FOUR_SET
        | ((count & (STRAIGHTS | TWO_OR_MORE_FOURS)) != 0) << KILL_SET
        | ((count & THREES) != 0) << THREE_SET
    )


cdef inline void _flip(ThreatBoard self, int side, int flips, int place) noexcept nogil:
    """Put a place into sets of a side, or take it out: those of ``flips``, a bit each."""
    cdef uint64_t* word
    cdef int which
    while flips:
        which = lowest_bit(flips)
        flips &= flips - 1
        word = &self.sets[side][which][place >> 6]
        word[0] ^= (<uint64_t>1) << (place & 63)
        self.sizes[side][which] += 2 * <int>((word[0] >> (place & 63)) & 1) - 1


cdef inline int _recount(ThreatBoard self, int side, int place, int then, int now) noexcept nogil:
    """A stone of a side would make something else on a line of a place; a bit for each set that it came into or left."""
    cdef uint32_t before = self.count[side][place]
    cdef uint32_t after = before - WEIGHTS[then] + WEIGHTS[now]
    cdef int flips
    self.count[side][place] = after
    if not (before | after) & (FIVES | FOURS | THREES):
        return 0
    flips = _memberships(before) ^ _memberships(after)
    _flip(self, side, flips, place)
    return flips


cdef inline void _turn(ThreatBoard self, Change* change, int line, int now) noexcept nogil:
    """Give a line of a place another kind, and write down what it was."""
    cdef int then = self.kind[line]
    change.line, change.old, change.flips = line, then, 0
    self.kind[line] = now
    if (then ^ now) & 15:
        change.flips = _recount(self, BLACK_SIDE, line >> 2, then & 15, now & 15)
    if (then ^ now) >> 4:
        change.flips |= _recount(self, WHITE_SIDE, line >> 2, then >> 4, now >> 4) << 4


@cython.final
cdef class ThreatBoard:
    """The stones of a board and what either side could make of them; native code plays and takes back on it.

    >>> from gomoku_patterns import Board
    >>> threats = ThreatBoard(Board(9, black=["c5", "d5", "e5"], turn="white"))
    >>> [str(cell) for cell in threats.cells("black", "kill")]
    ['Cell(row=4, col=1)', 'Cell(row=4, col=5)']
    """

    def __cinit__(self):
        self.changes = NULL

    def __init__(self, board, rule=None, bint blockable=False):
        self.rule = Rule.parse(board.rule if rule is None else rule)
        if self.rule.can_be_blocked:
            raise BoardError(f"expected freestyle, standard or renju for threats, found {self.rule.value!r}")
        self.rows, self.cols = board.rows, board.cols
        self.renju = self.rule is Rule.RENJU
        for colour in Colour:
            self.only_five[side_of(colour)] = self.rule.only_five(colour)
        self.reach = 5 if self.only_five[BLACK_SIDE] or blockable else 4
        self.sides = side_start(self.reach + 1)
        self.kinds = _table(self.only_five[BLACK_SIDE], self.only_five[WHITE_SIDE], blockable, self.sides)
        if self.changes == NULL:
            self.changes = <Change*>malloc(sizeof(Change) * CHANGES_PER_MOVE * (MAX_CELLS + 8))
        if self.changes == NULL:
            raise MemoryError
        self.reset(board)

    def __dealloc__(self):
        free(self.changes)

    def reset(self, board):
        """Take over the stones of a board of the same size."""
        cdef bytes cells = board.flat
        if (board.rows, board.cols) != (self.rows, self.cols):
            raise BoardError(f"expected a {self.rows}x{self.cols} board, found {board.rows}x{board.cols}")
        self.load(<const uint8_t*><char*>cells)

    cdef void load(self, const uint8_t* cells) noexcept nogil:
        cdef int row, col, stone
        self._clear()
        for row in range(self.rows):
            for col in range(self.cols):
                stone = cells[row * self.cols + col]
                if stone:
                    self.play(place_of(row, col), side_of(stone))
                    self.length = 0

    cdef void _clear(self) noexcept nogil:
        """An empty board: every place off the board is a wall, and no window reaches beyond."""
        cdef int place
        memset(self.stone, WALL, sizeof(self.stone))
        memset(self.kind, 0, sizeof(self.kind))
        memset(self.count, 0, sizeof(self.count))
        memset(self.sets, 0, sizeof(self.sets))
        memset(self.sizes, 0, sizeof(self.sizes))
        self.first_word = place_of(0, 0) >> 6
        self.last_word = place_of(self.rows - 1, self.cols - 1) >> 6
        self.hash, self.length, self.empty = 0, 0, self.rows * self.cols
        self.marks[0] = 0
        for place in range(SPAN):
            if 0 <= row_of(place) < self.rows and 0 <= col_of(place) < self.cols:
                self.stone[place] = 0
        for place in range(SPAN):
            if self.stone[place] == 0:
                self._look_around(place)

    cdef void _look_around(self, int place) noexcept nogil:
        """How far a place sees, and its windows while the board is empty."""
        cdef int direction, way, distance, line
        for direction in range(4):
            line = place * 4 + direction
            for way in range(2):
                distance = 1
                while distance <= self.reach and self.stone[place + WAYS[way] * distance * STEPS[direction]] != WALL:
                    distance += 1
                self.seen[way][line] = distance - 1
            self.window[line] = side_start(self.seen[0][line]) * self.sides + side_start(self.seen[1][line])

    # ------------------------------------------------------------------ play

    cdef uint64_t hash_with(self, int place, int side) noexcept nogil:
        """What the hash will be with one stone more."""
        return self.hash ^ ZOBRIST[side][place]

    cdef void play(self, int place, int side) noexcept nogil:
        """Put a stone on an empty place; nothing is checked."""
        cdef Change* change = &self.changes[self.marks[self.length]]
        cdef uint32_t found[CHANGES_PER_MOVE + 1]
        cdef const uint8_t* table = self.kinds
        cdef uint8_t* kinds = self.kind
        cdef const uint8_t* stones = self.stone
        cdef uint32_t* windows = self.window
        cdef int direction, way, line, other, distance, step, size = 0, number
        cdef uint32_t stone = colour_of(side), unit, window, kind
        self.places[self.length] = place
        self.length += 1
        self.empty -= 1
        self.hash ^= ZOBRIST[side][place]
        # First all that is looked up, then what has changed: which neighbours do cannot be foreseen.
        for direction in range(4):
            line = place * 4 + direction
            found[size] = line << 8
            size += kinds[line] != NOTHING
            for way in range(2):
                step = WAYS[way] * 4 * STEPS[direction]
                unit = stone * self.sides if way else stone
                other = line
                for distance in range(1, self.seen[way][line] + 1):
                    other += step
                    # Places with a stone keep their windows as well, so that undo has nothing to look up.
                    window = windows[other] + unit * DIGITS[distance]
                    windows[other] = window
                    kind = table[window]
                    found[size] = other << 8 | kind
                    size += (kind != kinds[other]) & (stones[other >> 2] == 0)
        self.stone[place] = stone
        for number in range(size):
            _turn(self, change + number, found[number] >> 8, found[number] & 255)
        self.marks[self.length] = self.marks[self.length - 1] + size

    cdef void undo(self) noexcept nogil:
        """Take the last stone back; everything is as it was before."""
        cdef Change* change
        cdef Change* first
        cdef int direction, way, line, distance, step, place, now
        cdef uint32_t stone, unit
        # The kinds are not looked up again: what the move changed was written down, and is set back from last to first.
        change = &self.changes[self.marks[self.length]]
        self.length -= 1
        self.empty += 1
        first = &self.changes[self.marks[self.length]]
        while change > first:
            change -= 1
            place, now = change.line >> 2, self.kind[change.line]
            self.kind[change.line] = change.old
            self.count[BLACK_SIDE][place] += WEIGHTS[change.old & 15] - WEIGHTS[now & 15]
            self.count[WHITE_SIDE][place] += WEIGHTS[change.old >> 4] - WEIGHTS[now >> 4]
            if change.flips:
                _flip(self, BLACK_SIDE, change.flips & 15, place)
                _flip(self, WHITE_SIDE, change.flips >> 4, place)
        place = self.places[self.length]
        stone = self.stone[place]
        self.stone[place] = 0
        self.hash ^= ZOBRIST[side_of(stone)][place]
        for direction in range(4):
            line = place * 4 + direction
            for way in range(2):
                step = WAYS[way] * 4 * STEPS[direction]
                unit = stone * self.sides if way else stone
                for distance in range(1, self.seen[way][line] + 1):
                    self.window[line + distance * step] -= unit * DIGITS[distance]

    # ------------------------------------------------------------------ questions

    cdef int first(self, int side, int which) noexcept nogil:
        """The first member of a set, or -1."""
        cdef int word
        for word in range(self.first_word, self.last_word + 1):
            if self.sets[side][which][word]:
                return word * 64 + lowest_bit(self.sets[side][which][word])
        return -1

    cdef int members(self, int side, int which, uint16_t* out) noexcept nogil:
        """Write the members of a set, row by row; how many there are."""
        cdef int word, size = 0
        cdef uint64_t rest
        for word in range(self.first_word, self.last_word + 1):
            rest = self.sets[side][which][word]
            while rest:
                out[size] = word * 64 + lowest_bit(rest)
                size += 1
                rest &= rest - 1
        return size

    cdef bint legal(self, int place, int side) noexcept nogil:
        """Whether the side may play on this empty place."""
        return side == WHITE_SIDE or not self.renju or not self.forbidden(place)

    cdef bint forbidden(self, int place) noexcept nogil:
        """Whether black may not play on this empty place under renju."""
        # A five is allowed whatever else it makes. Overlines and fours are exact in the count; threes are only an upper
        # bound, for one that cannot become a straight four with a legal stone is none.
        cdef uint32_t count = self.count[BLACK_SIDE][place]
        cdef int direction, threes = 0
        if not self.renju or count & FIVES or not count & (OVERLINES | TWO_OR_MORE_FOURS | TWO_OR_MORE_THREES):
            return False
        if count & (OVERLINES | TWO_OR_MORE_FOURS):
            return True
        for direction in range(4):
            if self.kind_of(BLACK_SIDE, place * 4 + direction) == LIVE_THREE and self._true_three(place, direction):
                threes += 1
        return threes >= 2

    cdef bint _true_three(self, int place, int direction) noexcept nogil:
        """Whether the three that a stone here makes can become a straight four with a stone black may play."""
        cdef int way, step, other, distance
        cdef bint true = False
        self.play(place, BLACK_SIDE)
        for way in range(2):
            step = STEPS[direction] if way else -STEPS[direction]
            other = place
            for distance in range(1, 4):
                other += step
                if self.stone[other] != BLACK:
                    break
            if self.stone[other] == 0 and self._may_extend(other, direction, place):
                true = True
                break
        self.undo()
        return true

    cdef bint _may_extend(self, int place, int direction, int three) noexcept nogil:
        """Whether a stone here makes the three a straight four and is neither a five nor forbidden."""
        if self.kind_of(BLACK_SIDE, place * 4 + direction) != STRAIGHT_FOUR or self.count[0][place] & FIVES:
            return False
        return not self.forbidden(place)

    # ------------------------------------------------------------------ for Python

    def push(self, cell, colour):
        """Put a stone on an empty cell."""
        cdef int place = self._empty_place(cell)
        self.play(place, Colour(colour) - 1)

    def pop(self):
        """Take the last pushed stone back."""
        if not self.length:
            raise IllegalMoveError("there is no move to take back: nothing was pushed on this board")
        self.undo()

    def cells(self, colour, which):
        """The cells where a stone of the colour makes a "five", a "four", a "kill" (straight or two fours) or a "three"."""
        cdef uint16_t found[SPAN]
        names = {"five": FIVE_SET, "four": FOUR_SET, "kill": KILL_SET, "three": THREE_SET}
        if which not in names:
            raise BoardError(f"expected one of {', '.join(names)}, found {which!r}")
        size = self.members(_side(colour), names[which], found)
        return [Cell(row_of(found[number]), col_of(found[number])) for number in range(size)]

    def kinds_at(self, cell, colour):
        """What a stone of the colour would make in each of the four directions, as the numbers of the native core."""
        cdef int place = self._empty_place(cell)
        return tuple(self.kind_of(_side(colour), place * 4 + direction) for direction in range(4))

    def forbidden_cells(self):
        """The cells black may not play, row by row."""
        return [
            Cell(row, col) for row in range(self.rows) for col in range(self.cols)
            if self.stone[place_of(row, col)] == 0 and self.forbidden(place_of(row, col))
        ]

    cdef int _empty_place(self, cell) except -1:
        row, col = cell
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise BoardError(f"expected a cell on a {self.rows}x{self.cols} board, found {(row, col)!r}")
        if self.stone[place_of(row, col)]:
            raise IllegalMoveError(f"there is a stone on {(row, col)!r} already", code="cell-taken")
        return place_of(row, col)


cdef int _side(object colour) except -1:
    from gomoku_patterns.cells import parse_colour

    return int(parse_colour(colour)) - 1
