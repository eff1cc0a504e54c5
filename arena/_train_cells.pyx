# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Training of cell tables: losses and gradients of many positions.

The value of a position is a sum of weights, one for each empty cell and colour, one for each cell's meeting, and those of
the facts, so a gradient adds one number to a few hundred places. Each has a growth besides, which counts as far as the
board is crowded. The weights lie in one array: those of the combinations for the side to move and for the other, the
facts, the meetings, and the counts of each fact; as many growths in the same order; the priors for both sides.
Combination 0, no shape at all, stays worth nothing.
"""

cimport cython
from libc.math cimport exp, log
from libc.stdint cimport int32_t, uint8_t, uint16_t

import numpy as np

from arena._worker cimport MAX_CELLS, BoardWorker, Position
from gomoku_patterns._cell_tables cimport COUNTED, CROWDED, MAX_FACTS


@cython.final
cdef class CellWorker(BoardWorker):
    """What one thread needs: the windows of boards of one size, and gradients."""

    cdef readonly int combinations, classes, fact_count
    cdef readonly object gradients
    cdef float[::1] gradient
    cdef const uint8_t[::1] kinds           # by window
    cdef const uint16_t[::1] numbers        # by code of four classes
    cdef const uint8_t[::1] shown           # by combination
    cdef const uint8_t[::1] firsts          # the first class, by combination
    cdef const float *weights
    cdef int32_t[MAX_CELLS] own, other, places
    cdef float[MAX_CELLS] odds
    cdef int facts
    cdef int[MAX_FACTS] counts              # which number of each fact's holds

    def __init__(self, kinds, numbers, shown, firsts, int reach, int fact_count, int rows, int cols):
        BoardWorker.__init__(self, rows, cols, reach)
        self.fact_count = fact_count
        self.kinds, self.numbers, self.shown, self.firsts = kinds, numbers, shown, firsts
        self.combinations, self.classes = len(shown), int(max(firsts)) + 1
        self.gradients = np.zeros(2 * self.growths_start() + 2 * self.combinations, dtype=np.float32)
        self.gradient = self.gradients

    cdef inline int facts_start(self) noexcept nogil:
        return 2 * self.combinations

    cdef inline int meetings_start(self) noexcept nogil:
        return self.facts_start() + (1 << 2 * self.fact_count)

    cdef inline int counts_start(self) noexcept nogil:
        return self.meetings_start() + self.classes * self.classes

    cdef inline int growths_start(self) noexcept nogil:
        return self.counts_start() + self.fact_count * COUNTED * COUNTED

    cdef inline int met(self, int at) noexcept nogil:
        """Which meeting a cell is."""
        return self.firsts[self.own[at]] * self.classes + self.firsts[self.other[at]]

    def run(self, const float[::1] weights, *task):
        """As :meth:`BoardWorker.over`, with these weights."""
        self.weights = &weights[0]
        self.over(*task)

    def forget(self):
        """Begin with no gradients."""
        self.gradients[:] = 0

    cdef Position position(
        self, const uint8_t *packed, int turn, float target, int best, float policy_weight, bint learn,
    ) noexcept nogil:
        cdef Position found
        cdef const float *prior_own = self.weights + 2 * self.growths_start()
        cdef const float *prior_other = prior_own + self.combinations
        cdef int count = self.gather(packed, turn), at, best_at = -1, top = -1
        cdef float crowd = <float>min(self.cells - count, CROWDED) / CROWDED
        cdef float out = self.summed(count, self.weights) + crowd * self.summed(count, self.weights + self.growths_start())
        cdef float most = 0, best_odds = 0
        cdef double total = 0
        for at in range(count):
            self.odds[at] = prior_own[self.own[at]] + prior_other[self.other[at]]
            if top < 0 or self.odds[at] > most:
                most, top = self.odds[at], at
            if self.places[at] == best:
                best_at, best_odds = at, self.odds[at]
        found.chance = 1 / (1 + exp(-out))
        found.loss = <float>(max(out, <float>0) - out * target + log(1 + exp(-(out if out > 0 else -out))))
        for at in range(count):
            self.odds[at] = <float>exp(self.odds[at] - most)
            total += self.odds[at]
        found.policy = <float>(log(total) + most - best_odds) if best_at >= 0 else 0
        found.hit = best_at >= 0 and best_at == top
        if learn:
            self.backwards(count, found.chance - target, &self.gradient[0])
            self.backwards(count, crowd * (found.chance - target), &self.gradient[self.growths_start()])
            self.prefer(count, best_at, policy_weight, total)
        return found

    cdef float summed(self, int count, const float *weights) noexcept nogil:
        """What the weights of a position, or its growths, add up to."""
        cdef const float *resting = weights + self.combinations
        cdef const float *meetings = weights + self.meetings_start()
        cdef float out = weights[self.facts_start() + self.facts]
        cdef int at
        for at in range(self.fact_count):
            out += weights[self.counts_start() + self.counts[at]]
        for at in range(count):
            out += weights[self.own[at]] + resting[self.other[at]] + meetings[self.met(at)]
        return out

    cdef void backwards(self, int count, float error, float *gradient) noexcept nogil:
        cdef int at
        gradient[self.facts_start() + self.facts] += error
        for at in range(self.fact_count):
            gradient[self.counts_start() + self.counts[at]] += error
        for at in range(count):
            gradient[self.meetings_start() + self.met(at)] += error
            gradient[self.own[at]] += error
            gradient[self.combinations + self.other[at]] += error

    cdef void prefer(self, int count, int best_at, float policy_weight, double total) noexcept nogil:
        """The gradients of the priors."""
        cdef float *own = &self.gradient[2 * self.growths_start()]
        cdef float *other = own + self.combinations
        cdef float share
        cdef int at
        for at in range(count if best_at >= 0 else 0):
            share = policy_weight * (<float>(self.odds[at] / total) - (at == best_at))
            own[self.own[at]] += share
            other[self.other[at]] += share

    cdef int gather(self, const uint8_t *packed, int turn) noexcept nogil:
        """The combinations of the empty cells for both sides, and the facts; how many cells there are."""
        cdef int cell, direction, kinds, black, white, count = 0
        cdef int own_facts = 0, other_facts = 0, fact
        cdef int[MAX_FACTS] own_counts, other_counts
        for fact in range(self.fact_count):
            own_counts[fact] = other_counts[fact] = 0
        self.place(packed, 1)
        for cell in range(self.cells):
            if self.stones[cell] == 0:
                black = white = 0
                for direction in range(4):
                    kinds = self.kinds[self.windows[cell][direction]]
                    black |= (kinds & 15) << 4 * direction
                    white |= (kinds >> 4) << 4 * direction
                self.own[count] = self.numbers[black if turn == 1 else white]
                self.other[count] = self.numbers[white if turn == 1 else black]
                own_facts |= self.shown[self.own[count]]
                other_facts |= self.shown[self.other[count]]
                for fact in range(self.fact_count):
                    own_counts[fact] += self.shown[self.own[count]] >> fact & 1
                    other_counts[fact] += self.shown[self.other[count]] >> fact & 1
                self.places[count] = cell
                count += 1
        self.facts = own_facts | other_facts << self.fact_count
        for fact in range(self.fact_count):
            self.counts[fact] = (
                (fact * COUNTED + min(own_counts[fact], COUNTED - 1)) * COUNTED + min(other_counts[fact], COUNTED - 1)
            )
        return count
