# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""The engine's alpha-beta: principal variation search on a threat board, with a pattern table as evaluation.

What makes Gomoku searchable is that most positions force the hand. A node first asks the threat board: a five is
played, an opposing five is blocked (at no cost in depth), a straight four or double four wins; against an opposing one
that threatens, only the cells that can stop it and one's own fours are moves. Only then come candidate cells: those
within two of a stone, threats first, the rest by shape counts, history, killers and, of a learned table, its prior. Late
moves are searched less deeply, the more so the later they come, the less they refuted elsewhere, when the score does
not rise and where a cutoff is expected. A four is no exception, and is tried after threes unless it makes one too: on a
crowded board there are many, and the side that is lost puts off its loss by them. A node of which no best move is known is
searched a ply less deeply. The last quiet moves are not searched at all unless everything else loses; a move that makes
a four or a live three, or stops a double one, is left out only after half as many more.

Three more things keep the tree narrow. Where the opponent would win by continuous fours if it were to move, the only
moves are those that touch its line, and one's own fours. A node is not searched when the table's score is beyond the
window by a margin a ply, near the horizon if below it, unless the side that is behind wins by continuous fours. And a
decided score from the table counts at whatever depth it was found.

Every node looks for a win by continuous fours with a small budget, and plays only those that also make a three. Where the
opponent was seen to have none before one's move, it is not asked again after it. A leaf without one is searched on
while a straight four threatens, and is otherwise worth what the table says. Scores are those of the side to move; a win
in n plies from the root is WIN - n. Margins are multiples of the ``unit`` of a table: its scale, or its score of two
stones side by side.

Deliberately absent: null moves (a tempo is everything in Gomoku, so passing says nothing), and quiescence over threes.

The transposition table is shared by threads without locks: an entry carries key ^ data, so a half-written one is
simply not found. 16 bytes an entry; the packing is in ``Transpositions.store``.
"""

import mmap
from contextlib import suppress

cimport cython
from libc.stdint cimport INT64_MAX
from libc.math cimport log
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from gomoku_patterns._basics cimport BLACK, WHITE, colour_of, lowest_bit, next_random, prefetch, side_of, spread
from gomoku_patterns._judge cimport judge_of, judge_play, judge_prior, judge_score, judge_undo
from search._control cimport STOP_NODES, SURE, WIN
from search._field cimport WALL
from search._threats cimport (
    FIVE_SET, FOURS, FOUR_SET, KILL_SET, LIVE_TWOS, MOVES, ONE_FOUR, ONE_LIVE_TWO, ONE_SLEEPING_THREE,
    ONE_SLEEPING_TWO, ONE_THREE, SLEEPING_THREES, SLEEPING_TWOS, SPAN, STRAIGHT_FOUR, STRAIGHTS, STRIDE,
    THREES, TWO_OR_MORE_FOURS, TWO_OR_MORE_THREES, WORDS, ThreatBoard, col_of, holds, place_of, put, row_of,
)

from gomoku_patterns.cells import Cell

cdef enum:
    HIGHEST = 1 << 27           # the table's scores are kept within
    DEEPEST_EXTENSION = -2      # plies below the horizon while a straight four threatens
    LEAST_WIDTH = 2             # quiet moves of a node at the horizon, more above it; moves of any kind are half as many again
    MOST_WIDTH = 100
    BEHIND_DEPTH = 5            # so far above the horizon a node that is behind by a margin a ply is not searched
    REDUCED_DEPTH = 3           # from here on late moves are searched less deeply,
    UNKNOWN_DEPTH = 4           # and from here on nodes of which no best move is known
    WIDEST = 50                 # units on either side of the last score; a window wider than that has no bounds
    DEEPEST = 64
    LATEST = 256
    PRIOR_WEIGHT = 2            # of a learned prior, beside what shapes promise
    LOWEST = 16                 # added to depths in the table, where there is none below zero
    CHECK_EVERY = 1024
    BUSY = 1 << 30              # no score: another thread is at it
    SHARED_DEPTH = 3            # below it two threads do not care whether they do the same
    OLDEST = 4095               # ages of entries
    LEAST_ENTRIES = 1 << 10

cdef enum Bound:
    # What the score of an entry is; exact is both.
    UPPER = 1
    LOWER = 2
    EXACT = UPPER | LOWER

cdef uint64_t[2] SALT = [0x3C6EF372FE94F82BULL, 0xA54FF53A5F1D36F1ULL]
cdef int[4] STEPS = [1, STRIDE, STRIDE + 1, STRIDE - 1]
cdef int[DEEPEST][LATEST] REDUCTIONS     # by depth and by how many moves came before


cdef void _fill_reductions() noexcept:
    cdef int depth, number
    for depth in range(1, DEEPEST):
        for number in range(1, LATEST):
            REDUCTIONS[depth][number] = min(<int>(1.0 + 0.9 * log(depth) * log(number)), depth - 1)


_fill_reductions()


# ---------------------------------------------------------------------- transpositions


def zeroed(size):
    """Memory that the system makes zero when it is first touched, in large pieces where it can.

    By the usual pages of four kilobytes the first searches would spend a third of their time on it, and two threads
    would wait for each other.
    """
    own = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    try:
        memory = mmap.mmap(-1, size, **own)
    except (OSError, OverflowError, ValueError):
        raise MemoryError from None
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


@cython.final
cdef class Transpositions:
    """What was found out about positions, for one engine and all its threads."""

    def __cinit__(self, megabytes=64):
        cdef uint64_t size = LEAST_ENTRIES
        while size * 2 * sizeof(Entry) <= <uint64_t>(max(1, megabytes)) << 20:
            size *= 2
        self.memory = zeroed(size * sizeof(Entry))
        self.entries = <Entry*>&self.memory[0]
        self.mask = self.last = size - 1

    def clear(self):
        """Forget everything, at no cost: what was stored with another salt is not found and gives way. The next search
        says how much is to be used."""
        self._age()
        self._forget()
        self.mask = LEAST_ENTRIES - 1

    def next_search(self, positions=None):
        """What is there already gives way first. Of the memory only as much is used as so many positions need, since
        every first touch of it takes time that a short search does not have."""
        self._age()
        while self.mask < self.last and (positions is None or self.mask < <uint64_t>(positions)):
            self._grow()

    cdef void _forget(self) noexcept:
        next_random(&self.salt)  # every number is another salt

    cdef void _age(self) noexcept:
        self.age = (self.age + 1) & OLDEST
        if self.age == 0:  # what is there would seem to be new
            self._forget()

    cdef void _grow(self) noexcept:
        """Use twice as much; the entries of which one more bit now counts move up."""
        cdef uint64_t added = self.mask + 1, number
        cdef Entry* entry
        for number in range(added):
            entry = &self.entries[number]
            if entry.data and ((entry.check ^ entry.data ^ self.salt) & added):
                self.entries[number | added] = entry[0]
                entry.data = 0
        self.mask |= added

    @property
    def megabytes(self):
        return ((self.last + 1) * sizeof(Entry)) >> 20

    cdef bint begin(self, uint64_t work) noexcept nogil:
        """Claim a piece of work; False if another thread is at it. A claim may be lost to another one: no harm done."""
        if self.busy[work & (BUSY_SLOTS - 1)] == work:
            return False
        self.busy[work & (BUSY_SLOTS - 1)] = work
        return True

    cdef void end(self, uint64_t work) noexcept nogil:
        if self.busy[work & (BUSY_SLOTS - 1)] == work:
            self.busy[work & (BUSY_SLOTS - 1)] = 0

    cdef inline Entry* entry_of(self, uint64_t key) noexcept nogil:
        """Where a position is looked for first."""
        return &self.entries[key & self.mask]

    cdef bint probe(self, uint64_t key, uint64_t* data) noexcept nogil:
        cdef Entry* entry = self.entry_of(key)
        data[0] = entry.data
        if (entry.check ^ data[0]) == key ^ self.salt and data[0]:
            return True
        entry = &self.entries[(key & self.mask) ^ 1]
        data[0] = entry.data
        return (entry.check ^ data[0]) == key ^ self.salt and data[0] != 0

    cdef void store(self, uint64_t key, int score, int depth, int bound, int move) noexcept nogil:
        # 32 bits score, 10 move, 8 depth, 2 bound, 12 age.
        cdef uint64_t data = <uint32_t>score
        cdef Entry* deep = self.entry_of(key)
        cdef Entry* other = &self.entries[(key & self.mask) ^ 1]
        data |= (<uint64_t>move << 32) | (<uint64_t>min(depth, 255) << 42) | (<uint64_t>bound << 50)
        data |= <uint64_t>self.age << 52
        if (deep.check ^ deep.data) != key ^ self.salt and deep.data >> 52 == self.age and ((deep.data >> 42) & 255) > depth:
            deep = other
        deep.data = data
        deep.check = key ^ self.salt ^ data


cdef inline uint64_t work_of(uint64_t key, int place, int depth) noexcept nogil:
    """A move of a position, to be searched to a depth, as a number."""
    return spread(key ^ <uint64_t>(place << 8 | depth), 64)


cdef inline int from_table(uint64_t data, int ply) noexcept nogil:
    """The score of an entry; wins are stored as plies from the node, not from the root."""
    cdef int score = <int32_t><uint32_t>data
    if score > SURE:
        return score - ply
    return score + ply if score < -SURE else score


cdef inline bint _settles(uint64_t data, int depth, int alpha, int beta, int ply) noexcept nogil:
    """Whether an entry says enough of a node; what is decided is so whatever the depth."""
    cdef int score = from_table(data, ply)
    cdef bint deep = <int>((data >> 42) & 255) >= depth + LOWEST
    if score >= beta and (data >> 50) & LOWER:
        return deep or score > SURE
    if score <= alpha and (data >> 50) & UPPER:
        return deep or score < -SURE
    return False


cdef inline int to_table(int score, int ply) noexcept nogil:
    if score > SURE:
        return score + ply
    return score - ply if score < -SURE else score


# ---------------------------------------------------------------------- the search

@cython.final
cdef class EngineSearch:
    """One thread's search. ``tracker`` is a line or point tracker of a compiled table for boards of this size.

    Not ``selective`` it looks at every candidate to the full depth, remembers nothing and looks for no continuous fours
    at the leaves: slow, and equal to plain negamax, which is what it is for.
    """

    def __cinit__(self):
        self.choices = <Choice*>malloc(2 * MAX_PLY * MOVES * sizeof(Choice))
        if self.choices == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.choices)

    def __init__(self, ThreatBoard board, tracker, Transpositions table, leaf_budget=40, selective=True, shared=False, unit=80):
        cdef int row, col
        self.board = board
        self.fours = FourSearch(board, None, 1 << 18, selective)
        self.table = table
        self.unit = min(max(1, unit), HIGHEST >> 4)
        self.leaf_budget = leaf_budget if selective else 0
        self.selective = selective
        self.shared = shared
        self.tracker, self.judge = tracker, judge_of(tracker)
        memset(self.interior, 0, sizeof(self.interior))
        for row in range(board.rows):
            for col in range(board.cols):
                self.cell_of[place_of(row, col)] = row * board.cols + col
                put(self.interior, place_of(row, col))

    @property
    def largest_history(self):
        """How far from zero what is remembered of any move lies: 4096 at most."""
        cdef int side, place, largest = 0
        for side in range(2):
            for place in range(SPAN):
                largest = max(largest, abs(<int>self.history[side][place]))
        return largest

    def set(self, board):
        """Take over a position of the same size."""
        cdef int place
        self.board.reset(board)
        self.judged = 0
        memset(self.stones, 0, sizeof(self.stones))
        for place in range(SPAN):
            if self.board.stone[place] == BLACK or self.board.stone[place] == WHITE:
                put(self.stones + 1, place)
        self.tracker.set(board)
        self.side = side_of(board.turn)

    # ------------------------------------------------------------------ the root

    def prepare(self, excluded=()):
        """Make the list of moves at the root; how many there are."""
        cdef int number
        memset(self.killers, 0, sizeof(self.killers))
        memset(self.told_length, 0, sizeof(self.told_length))
        memset(self.told_at, 0, sizeof(self.told_at))
        for number in range(SPAN):
            self.history[0][number] //= 8
            self.history[1][number] //= 8
        self._root_moves({place_of(row, col) for row, col in excluded})
        return self.root_size

    def allow(self, Control control, node_limit=None):
        """What the next iterations may use up together."""
        self.control = control
        self.fours.nodes = 0
        self.fours.stop = 0
        self.nodes, self.check_at, self.stop = 0, 0, 0
        self.node_limit = INT64_MAX if node_limit is None else node_limit
        self.pv_length[0] = 0

    def _root_moves(self, banned):
        """The moves that the position forces; if none of them may be played, those near a stone, or any at all."""
        cdef Choice found[MOVES]
        cdef uint64_t zone[16]
        cdef int size
        self.root_size = 0
        self._forcing_zone(zone)
        if not _is_none(zone):
            size = self.moves(self.side, 0, 0, zone, found)
            self._take(found, size, banned)
        if self.root_size == 0:
            self._near_stones(zone)
            size = self.moves(self.side, 0, 0, zone, found)
            self._take(found, size, banned)
        if self.root_size == 0:
            size = self._anywhere(found)
            self._take(found, size, banned)

    cdef void _forcing_zone(self, uint64_t* zone) noexcept:
        """The fives of the side to move, else those of the opponent, else what stops a straight or double four."""
        memset(zone, 0, 16 * sizeof(uint64_t))
        if self.board.sizes[self.side][FIVE_SET]:
            memcpy(zone, self.board.sets[self.side][FIVE_SET], 16 * sizeof(uint64_t))
        elif self.board.sizes[self.side ^ 1][FIVE_SET]:
            memcpy(zone, self.board.sets[self.side ^ 1][FIVE_SET], 16 * sizeof(uint64_t))
        else:
            self.must_defend(self.side, zone)

    cdef void _take(self, Choice* found, int size, set banned) noexcept:
        cdef int number
        for number in range(size):
            _bring_best(found, number, size)
            if found[number].place not in banned:
                self.root[self.root_size] = found[number]
                self.root[self.root_size].value = self.evaluate(self.side)
                self.root_size += 1

    def exclude(self, cell):
        """Strike a move from the list, so that the search can go on with the others; how many are left."""
        cdef int place = place_of(cell[0], cell[1]), number, kept = 0
        for number in range(self.root_size):
            if self.root[number].place != place:
                self.root[kept] = self.root[number]
                kept += 1
        self.root_size = kept
        return kept

    cdef int _anywhere(self, Choice* out) noexcept:
        """Every legal cell: for boards where nothing lies near a stone."""
        cdef int size = 0, row, col, place
        for row in range(self.board.rows):
            for col in range(self.board.cols):
                place = place_of(row, col)
                if self.board.stone[place] == 0 and self.board.legal(place, self.side):
                    out[size].place, out[size].value, out[size].prior = place, 0, 0
                    size += 1
        return size

    def iterate(self, int depth, int lines):
        """Search the root to this depth for the best ``lines`` moves; False when it was stopped before all was done."""
        cdef int first, score, number
        cdef int wanted = min(lines, self.root_size)
        self.control.depth = depth
        with nogil:
            for first in range(wanted):
                score = self.aspire(first, depth, self.root[first].value)
                if self.stop:
                    break
                if first == 0:
                    self.control.score = score if colour_of(self.side) == BLACK else -score
            if not self.stop:
                self._sort(wanted)
        return not self.stop

    cdef void _sort(self, int wanted) noexcept nogil:
        """Put the searched moves in order: a later line may turn out better than one before it."""
        cdef int number, other
        cdef Choice moved
        for number in range(1, wanted):
            moved = self.root[number]
            other = number
            while other > 0 and self.root[other - 1].value < moved.value:
                self.root[other] = self.root[other - 1]
                other -= 1
            self.root[other] = moved

    cdef int aspire(self, int first, int depth, int guess) noexcept nogil:
        """Search with a window around the last score, widened until the score lies within."""
        cdef int alpha, beta, score
        cdef int64_t delta = max(1, 3 * self.unit // 16)
        if depth < 4 or guess <= -SURE or guess >= SURE:
            return self.root_search(first, -WIN, WIN, depth)
        alpha, beta = guess - delta, guess + delta
        while True:
            score = self.root_search(first, alpha, beta, depth)
            if self.stop or (alpha < score < beta):
                return score
            delta *= 4
            if score <= alpha:
                alpha = -WIN if delta > WIDEST * self.unit else max(-WIN, score - delta)
            else:
                beta = WIN if delta > WIDEST * self.unit else min(WIN, score + delta)

    cdef int root_search(self, int first, int alpha, int beta, int depth) noexcept nogil:
        """The root's moves from ``first`` on; the best is brought to that place with its score.

        Below the window the scores are only bounds, so the order stays as it was. What another thread is at is looked
        at last, when most of it is found in the table.
        """
        cdef uint16_t later[MOVES]
        cdef int number = first, score, best = -WIN, waiting = 0, done = 0, chosen
        while number < self.root_size or done < waiting:
            chosen = number
            if number < self.root_size:
                score = self.root_child(number, first, max(alpha, best), beta, depth, False)
                number += 1
                if score == BUSY:
                    later[waiting] = self.root[chosen].place
                    waiting += 1
                    continue
            else:
                chosen = self._root_number(later[done])
                done += 1
                score = self.root_child(chosen, first, max(alpha, best), beta, depth, True)
            if self.stop:
                break
            if score > best:
                best = score
                if score > alpha:
                    self._lead(chosen, first, score)
                elif chosen == first:
                    self.root[first].value = score
                if score >= beta:
                    break
        return best

    cdef int _root_number(self, int place) noexcept nogil:
        cdef int number
        for number in range(self.root_size):
            if self.root[number].place == place:
                return number
        return 0

    cdef int root_child(self, int number, int first, int alpha, int beta, int depth, bint urgent) noexcept nogil:
        cdef int place = self.root[number].place
        cdef int shrink = self.reduction(depth, number - first)
        if holds(self.board.sets[self.side][FIVE_SET], place):
            self.pv_length[1] = 0
            return WIN - 1
        if number == first or urgent or not self.shared or depth < SHARED_DEPTH:
            return self.child(place, self.side, alpha, beta, depth, 0, shrink, number == first)
        return self.child_unless_busy(place, self.side, alpha, beta, depth, 0, shrink)

    cdef void _lead(self, int number, int first, int score) noexcept nogil:
        """Bring a root move to the place ``first``, and its line to the principal variation."""
        cdef Choice chosen = self.root[number]
        cdef int other
        chosen.value = score
        for other in range(number, first, -1):
            self.root[other] = self.root[other - 1]
        self.root[first] = chosen
        if first == 0:
            self.extend_pv(0, chosen.place)
        self._tell(chosen.place)

    cdef void _tell(self, int place) noexcept nogil:
        """Keep how a move goes on, in the place of what is known of it, or of what has been known longest."""
        cdef int number, slot = 0
        for number in range(LINES):
            if self.told_length[number] and self.told[number][0] == place:
                slot = number
                break
            if self.told_at[number] < self.told_at[slot]:
                slot = number
        self.told[slot][0] = place
        self.told_count += 1
        self.told_at[slot] = self.told_count
        self.told_length[slot] = min(self.pv_length[1] + 1, MAX_PLY - 1)
        memcpy(&self.told[slot][1], &self.pv[1][0], (self.told_length[slot] - 1) * sizeof(uint16_t))

    def values(self, int lines):
        """The best moves with their scores for the side to move, best first."""
        cells = [
            (Cell(row_of(self.root[number].place), col_of(self.root[number].place)), self.root[number].value)
            for number in range(min(lines, self.root_size))
        ]
        return cells[:1] + sorted(cells[1:], key=lambda pair: -pair[1])

    def line(self):
        """The principal variation of the last search."""
        return [Cell(row_of(self.pv[0][number]), col_of(self.pv[0][number])) for number in range(self.pv_length[0])]

    def lines_by_move(self):
        """How the best moves go on, each with its line, itself included."""
        cdef int rank, number
        lines = [
            tuple(
                Cell(row_of(self.told[rank][number]), col_of(self.told[rank][number]))
                for number in range(self.told_length[rank])
            )
            for rank in range(LINES)
            if self.told_length[rank]
        ]
        return {line[0]: line for line in lines}

    @property
    def nodes_searched(self):
        return self.nodes + self.fours.nodes

    @property
    def stopped_by(self):
        """What cut the search short, or None."""
        return "nodes" if self.stop == STOP_NODES else self.control.stopped_by

    @property
    def only_move(self):
        return self.root_size == 1

    # ------------------------------------------------------------------ nodes

    cdef bint count(self) noexcept nogil:
        """Count a node; whether the search may go on."""
        cdef long long nodes = self.nodes + self.fours.nodes
        if nodes >= self.node_limit:
            self.stop = STOP_NODES
        elif nodes >= self.check_at:
            self.check_at = nodes + CHECK_EVERY
            self.control.nodes = nodes
            self.stop = self.control.poll()
        if self.stop:
            return False
        self.nodes += 1
        return True

    cdef void play(self, int place, int side) noexcept nogil:
        prefetch(self.table.entry_of(self.board.hash_with(place, side) ^ SALT[side ^ 1]))
        self.board.play(place, side)
        put(self.stones + 1, place)

    cdef void undo(self) noexcept nogil:
        cdef int place = self.board.places[self.board.length - 1]
        self.stones[1 + (place >> 6)] ^= (<uint64_t>1) << (place & 63)
        if self.judged == self.board.length:
            judge_undo(&self.judge)
            self.judged -= 1
        self.board.undo()

    cdef void catch_up(self) noexcept nogil:
        """Tell the table of the moves since it was last asked: at a third of the nodes nobody asks what it says."""
        cdef int place
        while self.judged < self.board.length:
            place = self.board.places[self.judged]
            judge_play(&self.judge, self.cell_of[place], self.board.stone[place])
            self.judged += 1

    cdef int evaluate(self, int side) noexcept nogil:
        """What the table says, for the side to move."""
        self.catch_up()
        cdef int64_t score = max(-HIGHEST, min(HIGHEST, judge_score(&self.judge, colour_of(side))))
        return <int>(score if colour_of(side) == BLACK else -score)

    cdef int node(self, int side, int alpha, int beta, int depth, int ply) noexcept nogil:
        """The score of a position for the side to move."""
        cdef uint64_t zone[16]
        cdef int other = side ^ 1
        cdef bint pressed
        self.pv_length[ply] = 0
        if not self.count():
            return 0
        if self.board.sizes[side][FIVE_SET]:
            self.extend_pv(ply, self.board.first(side, FIVE_SET))
            self.pv_length[ply] = 1
            return WIN - ply - 1
        if self.board.sizes[other][FIVE_SET]:
            return self.forced(side, alpha, beta, depth, ply)
        if self.board.empty == 0:
            return 0
        if self.board.sizes[side][KILL_SET] and self.fours._won_at_once(side, 0):
            self.extend_pv(ply, self.fours.line[0])
            self.pv_length[ply] = 1
            return WIN - ply - 3
        memset(zone, 0, sizeof(zone))
        pressed = self.board.sizes[other][KILL_SET] and self.must_defend(side, zone)
        if pressed and _is_none(zone):
            return ply + 4 - WIN
        if not self.calm[ply - 1] and self.wins_by_fours(side):
            return WIN - ply - 2 * self.fours.length + 1
        if ply >= MAX_PLY - 2 or depth <= DEEPEST_EXTENSION or (depth <= 0 and not pressed):
            return self.evaluate(side)
        return self.interior_node(side, alpha, beta, depth, ply, zone)

    cdef bint wins_by_fours(self, int side) noexcept nogil:
        """Whether the side, if it is to move, wins by continuous fours that a small budget finds."""
        self.fours.gave_up = False
        if not self.leaf_budget or self.board.sizes[side][FOUR_SET] < 2:
            return False
        self.fours.node_limit = self.node_limit - self.nodes
        return self.fours.win(side, self.leaf_budget)

    cdef int forced(self, int side, int alpha, int beta, int depth, int ply) noexcept nogil:
        """The opponent would make five: block, or lose. The block costs no depth."""
        cdef int place = self.board.first(side ^ 1, FIVE_SET), score
        if self.board.sizes[side ^ 1][FIVE_SET] > 1 or not self.board.legal(place, side):
            return ply + 2 - WIN
        if ply >= MAX_PLY - 2:
            return self.evaluate(side)
        self.statics[ply] = self.statics[ply - 2] if ply > 1 else -HIGHEST
        self.calm[ply] = False
        self.cuts[ply + 1] = not self.cuts[ply]
        self.play(place, side)
        score = -self.node(side ^ 1, -beta, -alpha, depth, ply + 1)
        self.undo()
        self.extend_pv(ply, place)
        return score

    cdef int interior_node(self, int side, int alpha, int beta, int depth, int ply, const uint64_t* zone) noexcept nogil:
        cdef Choice* found = self.choices + 2 * ply * MOVES
        cdef Choice* later = found + MOVES      # moves that another thread is at, and their reductions
        cdef uint64_t threatened[16]
        cdef uint64_t data, key = self.board.hash ^ SALT[side]
        cdef int size, total, number = 0, waiting = 0, done = 0, quiet = 0, place, shrink, known = 0, doubt = 0, top
        cdef int score, best = -WIN, best_place = 0, old_alpha = alpha, width = MOVES
        cdef bint priors
        if self.table.probe(key, &data):
            known = (data >> 32) & 1023
            if beta - alpha == 1 and self.selective and _settles(data, depth, alpha, beta, ply):
                return from_table(data, ply)
        self.statics[ply] = self.evaluate(side)
        self.calm[ply] = False
        if self.selective:
            width = self.width(depth, ply)
            doubt = (not self.is_rising(ply)) + (beta - alpha == 1 and self.cuts[ply])
            if _is_none(zone):
                if beta - alpha == 1 and alpha > -SURE and beta < SURE:
                    if self.is_hopeless(side, alpha, beta, depth, ply):
                        return self.statics[ply]
                if depth > 0 and self.threatens_fours(side ^ 1, ply) and self.must_stop_fours(side, threatened):
                    zone = threatened
            if depth >= UNKNOWN_DEPTH and not known:
                depth -= 1
        total = size = self.moves(side, ply, known, zone, found)
        top, priors = _highest_prior(found, size), _has_priors(found, size)
        if size == 0:
            return self.evaluate(side) if _is_none(zone) else ply + 4 - WIN
        while True:
            if number < size and (number < 3 * width // 2 or best < -SURE):
                _bring_best(found, number, size)
                place = found[number].place
                shrink = self.reduction(depth, number)
                if shrink:
                    shrink += doubt - self.merit(side, place) + self.unlikeliness(found[number].prior, top, priors)
                    shrink = max(0, min(depth - 1, shrink))
                if number and not self._is_loud(place, side):
                    quiet += 1
                    if quiet == width:
                        size = self._loud_first(side, found, number + 1, total)
                number += 1
                if number > 1 and self.shared and depth >= SHARED_DEPTH:
                    score = self.child_unless_busy(place, side, max(alpha, best), beta, depth, ply, shrink)
                    if score == BUSY:
                        later[waiting].place, later[waiting].value = place, shrink
                        waiting += 1
                        continue
                else:
                    score = self.child(place, side, max(alpha, best), beta, depth, ply, shrink, number == 1)
            elif done < waiting:
                place, shrink = later[done].place, later[done].value
                done += 1
                score = self.child(place, side, max(alpha, best), beta, depth, ply, shrink, False)
            elif best < -SURE and size < total:
                size = total        # nothing is lost as long as a move has not been tried
                continue
            else:
                break
            if self.stop:
                return 0
            if score > best:
                best, best_place = score, place
                self.extend_pv(ply, place)
                if score >= beta:
                    self.remember(side, place, found, number, depth, ply)
                    break
        self.table.store(
            key, to_table(best, ply), depth + LOWEST,
            LOWER if best >= beta else EXACT if best > old_alpha else UPPER, best_place,
        )
        return best

    cdef int width(self, int depth, int ply) noexcept nogil:
        """How many quiet moves of a node are looked at."""
        cdef int more = 2 * depth if self.is_rising(ply) else depth
        return min(MOST_WIDTH, LEAST_WIDTH + max(more, more * depth // 4))

    cdef bint is_rising(self, int ply) noexcept nogil:
        """Whether the table says more for the side to move than at its last turn."""
        return ply > 1 and self.statics[ply] > self.statics[ply - 2]

    cdef bint is_hopeless(self, int side, int alpha, int beta, int depth, int ply) noexcept nogil:
        """Whether a node is so far beyond the window, for its depth, that only continuous fours would bring it back.

        That the side to move has none is known here.
        """
        cdef int64_t static = self.statics[ply], reach = <int64_t>self.unit * depth
        if depth <= BEHIND_DEPTH and 4 * static + 3 * reach <= 4 * alpha:
            return True
        if 16 * static - 3 * reach >= 16 * beta:
            return not self.wins_by_fours(side ^ 1)
        return False

    cdef bint threatens_fours(self, int side, int ply) noexcept nogil:
        """Whether the side that is not to move would win by continuous fours if it were.

        If it would not, it does not after any move of the opponent either: a stone of the defender never helps. (Under
        standard rules it may spoil a five of the defender's own by a sixth, which is rare, and then a win is missed.) So
        its next nodes need not look. Under renju what is forbidden may hang on other stones, so there is no telling.
        """
        cdef bint found
        if self.board.renju:
            return False
        found = self.wins_by_fours(side)
        self.calm[ply] = not found and not self.fours.gave_up and not self.fours.stop
        return found

    cdef bint must_stop_fours(self, int side, uint64_t* zone) noexcept nogil:
        """Put into ``zone`` all that stops the opponent's continuous fours that were found last; whether they work."""
        cdef int word, other = side ^ 1
        memset(zone, 0, 16 * sizeof(uint64_t))
        if not self.fours.replay(self.fours.line, self.fours.length, other, zone):
            return False
        for word in range(self.board.first_word, self.board.last_word + 1):
            zone[word] |= self.board.sets[side][FOUR_SET][word]
        return True

    cdef int child(self, int place, int side, int alpha, int beta, int depth, int ply, int reduction, bint first) noexcept nogil:
        """The score of a move: the first with the whole window, later ones only asked whether they are better."""
        cdef int score
        self.play(place, side)
        if first:
            self.cuts[ply + 1] = beta - alpha == 1 and not self.cuts[ply]
            score = -self.node(side ^ 1, -beta, -alpha, depth - 1, ply + 1)
        else:
            self.cuts[ply + 1] = reduction > 0 or not self.cuts[ply]
            score = -self.node(side ^ 1, -alpha - 1, -alpha, depth - 1 - reduction, ply + 1)
            if score > alpha and reduction and not self.stop:
                self.cuts[ply + 1] = not self.cuts[ply]
                score = -self.node(side ^ 1, -alpha - 1, -alpha, depth - 1, ply + 1)
            if alpha < score < beta and not self.stop:
                self.cuts[ply + 1] = False
                score = -self.node(side ^ 1, -beta, -alpha, depth - 1, ply + 1)
        self.undo()
        return score

    cdef int child_unless_busy(self, int place, int side, int alpha, int beta, int depth, int ply, int reduction) noexcept nogil:
        """The score of a later move, or BUSY when another thread is at the same: better to do something else first."""
        cdef uint64_t work = work_of(self.board.hash ^ SALT[side], place, depth)
        cdef int score
        if not self.table.begin(work):
            return BUSY
        score = self.child(place, side, alpha, beta, depth, ply, reduction, False)
        self.table.end(work)
        return score

    cdef inline bint _is_loud(self, int place, int side) noexcept nogil:
        """Whether a stone here makes a four or a live three, or stops what would make a straight or double one."""
        cdef uint32_t own = self.board.count[side][place], their = self.board.count[side ^ 1][place]
        return (own & (FOURS | THREES)) != 0 or (their & (STRAIGHTS | TWO_OR_MORE_FOURS | TWO_OR_MORE_THREES)) != 0

    cdef int _loud_first(self, int side, Choice* found, int number, int size) noexcept nogil:
        """Of the moves from ``number`` on put the loud before the quiet ones; where the quiet ones begin."""
        cdef int other, kept = number
        cdef Choice moved
        for other in range(number, size):
            if self._is_loud(found[other].place, side):
                moved = found[kept]
                found[kept] = found[other]
                found[other] = moved
                kept += 1
        return kept

    cdef int reduction(self, int depth, int number) noexcept nogil:
        if depth < REDUCED_DEPTH or number < 2 or not self.selective:
            return 0
        return REDUCTIONS[min(depth, DEEPEST - 1)][min(number, LATEST - 1)]

    cdef int merit(self, int side, int place) noexcept nogil:
        """How many plies less or more to reduce a move by, for what it refuted elsewhere, and did not: from -9 to 2."""
        return min(2, self.history[side][place] // 512 - 1)

    cdef int unlikeliness(self, int prior, int top, bint known) noexcept nogil:
        """How many plies more or less to reduce a move by, for its learned prior and the node's highest: from -1 to 2.

        None where no prior is known; a highest prior of 0 is one like any other.
        """
        return max(-1, min(2, (top - prior - 128) // 64)) if known else 0

    cdef void remember(self, int side, int place, const Choice* tried, int size, int depth, int ply) noexcept nogil:
        """A move that refuted a line is tried early elsewhere, and the others that were tried late.

        What is remembered stays within 4096 of zero as long as one experience is worth no more.
        """
        cdef int number, worth = min(depth, <int>DEEPEST) * min(depth, <int>DEEPEST)
        cdef int32_t* past
        if self.killers[ply][0] != place:
            self.killers[ply][1] = self.killers[ply][0]
            self.killers[ply][0] = place
        for number in range(size if depth > 0 else 0):
            past = &self.history[side][tried[number].place]
            past[0] += (worth if tried[number].place == place else -worth) - past[0] * worth // 4096

    cdef void extend_pv(self, int ply, int place) noexcept nogil:
        self.pv[ply][0] = place
        if ply + 1 < MAX_PLY:
            memcpy(&self.pv[ply][1], &self.pv[ply + 1][0], self.pv_length[ply + 1] * sizeof(uint16_t))
            self.pv_length[ply] = min(self.pv_length[ply + 1] + 1, MAX_PLY - 1)

    # ------------------------------------------------------------------ moves

    cdef int moves(self, int side, int ply, int best, const uint64_t* zone, Choice* out) noexcept nogil:
        """The legal candidates with what they promise; those of ``zone`` alone where the opponent presses."""
        cdef uint64_t cells[16]
        cdef uint64_t rest
        cdef int word, place, size = 0, value, prior
        self.catch_up()
        if _is_none(zone):
            self._near_stones(cells)
        else:
            memcpy(cells, zone, sizeof(cells))
        for word in range(self.board.first_word, self.board.last_word + 1):
            rest = cells[word]
            while rest:
                place = word * 64 + lowest_bit(rest)
                rest &= rest - 1
                if self.board.stone[place] or not self.board.legal(place, side):
                    continue
                value = self.value_of(place, side) + self.history[side][place] // 16
                prior = <int>judge_prior(&self.judge, self.cell_of[place], colour_of(side))
                value += PRIOR_WEIGHT * prior
                if place == best:
                    value = WIN
                elif place == self.killers[ply][0] or place == self.killers[ply][1]:
                    value += 60
                out[size].place, out[size].value, out[size].prior = place, value, prior
                size += 1
        return size

    cdef void _near_stones(self, uint64_t* cells) noexcept nogil:
        """The cells within two of a stone. The margins keep what is shifted over a row's end off the board."""
        cdef uint64_t wide[18]
        cdef uint64_t row
        cdef int word
        memset(cells, 0, 16 * sizeof(uint64_t))
        memcpy(wide, self.stones, sizeof(wide))
        for word in range(1, 17):
            row = wide[word]
            wide[word] = row | (row << 1) | (row << 2) | (row >> 1) | (row >> 2)
        for word in range(1, 17):
            row = wide[word]
            cells[word - 1] = row | (row << 32) | (row >> 32) | wide[word - 1] | wide[word + 1]
            cells[word - 1] |= (wide[word - 1] >> 32) | (wide[word + 1] << 32)
            cells[word - 1] &= self.interior[word - 1]
        if self.board.empty == self.board.rows * self.board.cols:
            put(cells, place_of(self.board.rows // 2, self.board.cols // 2))

    cdef int value_of(self, int place, int side) noexcept nogil:
        """What a stone here promises, by the shapes it would make for either side."""
        cdef uint32_t own = self.board.count[side][place], their = self.board.count[side ^ 1][place]
        cdef int value = 0
        if own & (FOURS | THREES):
            value += 200 * (((own & FOURS) // ONE_FOUR) != 0) + 700 * ((own & THREES) // ONE_THREE)
            if own & FOURS and own & THREES:
                value += 4000
            if own & TWO_OR_MORE_THREES:
                value += 2500
        if their & (FOURS | THREES):
            value += 500 * (((their & FOURS) // ONE_FOUR) != 0) + 350 * ((their & THREES) // ONE_THREE)
            if their & (STRAIGHTS | TWO_OR_MORE_FOURS):
                value += 6000
            if (their & FOURS and their & THREES) or their & TWO_OR_MORE_THREES:
                value += 1500
        value += 90 * ((own & SLEEPING_THREES) // ONE_SLEEPING_THREE) + 80 * ((own & LIVE_TWOS) // ONE_LIVE_TWO)
        value += 50 * ((their & SLEEPING_THREES) // ONE_SLEEPING_THREE) + 55 * ((their & LIVE_TWOS) // ONE_LIVE_TWO)
        value += 14 * ((own & SLEEPING_TWOS) // ONE_SLEEPING_TWO) + 9 * ((their & SLEEPING_TWOS) // ONE_SLEEPING_TWO)
        return value

    cdef bint must_defend(self, int side, uint64_t* zone) noexcept nogil:
        """Whether the opponent threatens a straight four or double four; then ``zone`` holds all that can stop it.

        A threat is stopped on its own cell or, along its line, where it would lie; several must be stopped by one
        stone. A four of one's own may come first and is always among the moves.
        """
        cdef uint16_t kills[MOVES]
        cdef uint64_t stops[16]
        cdef int number, word, other = side ^ 1
        cdef int size = self.board.members(other, KILL_SET, kills)
        cdef bint any = False
        for number in range(size):
            if not self.board.legal(kills[number], other) or self._may_turn_forbidden(kills[number], other):
                continue
            memset(stops, 0, sizeof(stops))
            self.defences(kills[number], other, stops)
            for word in range(self.board.first_word, self.board.last_word + 1):
                zone[word] = zone[word] & stops[word] if any else stops[word]
            any = True
        if any:
            for word in range(self.board.first_word, self.board.last_word + 1):
                zone[word] |= self.board.sets[side][FOUR_SET][word]
        return any

    cdef inline bint _may_turn_forbidden(self, int place, int side) noexcept nogil:
        """Whether a stone far away might make a threes' move forbidden to black."""
        return self.board.renju and colour_of(side) == BLACK and (self.board.count[side][place] & TWO_OR_MORE_THREES) != 0

    cdef void defences(self, int place, int attacker, uint64_t* zone) noexcept nogil:
        """The cell of a kill, and the empty cells near it on every line where it makes a four."""
        cdef int direction, way, step, other, distance, kind
        put(zone, place)
        for direction in range(4):
            kind = self.board.kind_of(attacker, place * 4 + direction)
            if kind < 5 or kind > STRAIGHT_FOUR:
                continue
            for way in range(2):
                step = STEPS[direction] if way else -STEPS[direction]
                other = place
                for distance in range(1, 6):
                    other += step
                    if self.board.stone[other] == WALL or self.board.stone[other] == colour_of(attacker ^ 1):
                        break
                    if self.board.stone[other] == 0:
                        put(zone, other)


cdef inline bint _is_none(const uint64_t* places) noexcept nogil:
    cdef int word
    for word in range(WORDS):
        if places[word]:
            return False
    return True


cdef inline int _highest_prior(const Choice* found, int size) noexcept nogil:
    cdef int number, top = -HIGHEST
    for number in range(size):
        top = max(top, found[number].prior)
    return top


cdef inline bint _has_priors(const Choice* found, int size) noexcept nogil:
    cdef int number
    for number in range(size):
        if found[number].prior:
            return True
    return False


cdef inline void _bring_best(Choice* found, int number, int size) noexcept nogil:
    """Swap the most promising of the rest to the front of it."""
    cdef int best = number, other
    cdef Choice kept
    for other in range(number + 1, size):
        if found[other].value > found[best].value:
            best = other
    kept = found[number]
    found[number] = found[best]
    found[best] = kept
