# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""Training of line codes: losses and gradients of many positions, and Adam on the rows that they touched.

A position touches a few hundred of the 60,738 rows, so gradients are added into a table of their own, with a list of what
was touched; an update visits these rows alone. Each row of eleven cells is the sum of four learned ones: its own and those
of its inner nine, seven and five cells. So a window that was never seen still has what its inner part learned; what is
played with is the sum, made anew after each update. One worker owns one table of gradients and one part of a batch, and
the parts are added up in their order: the same data and seed give the same weights, however threads are scheduled.

Deliberately absent: derivatives by graph. The net is small enough to write its gradient down, and this way a position
costs about thirty microseconds.
"""

cimport cython
from libc.math cimport exp, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

import numpy as np

from arena._worker cimport BoardWorker, Position

from gomoku_patterns.codes import code_rows

cdef extern from *:
    """
    #define TRAIN_WIDTH 32

    static inline void rows_add(float *restrict sums, const float *restrict one, const float *restrict two,
                                const float *restrict three, const float *restrict four) {
        for (int at = 0; at < TRAIN_WIDTH; at++) sums[at] = one[at] + two[at] + three[at] + four[at];
    }
    /* What is negative becomes 0, in place, and is added to the pool. */
    static inline void rectify(float *restrict sums, float *restrict pool) {
        for (int at = 0; at < TRAIN_WIDTH; at++) {
            float part = sums[at] > 0 ? sums[at] : 0;
            sums[at] = part;
            pool[at] += part;
        }
    }
    static inline float float_dot(const float *restrict one, const float *restrict two) {
        float parts[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int at = 0; at < TRAIN_WIDTH; at += 8)
            for (int lane = 0; lane < 8; lane++) parts[lane] += one[at + lane] * two[at + lane];
        return ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
    }
    static inline void add_times(float *restrict sums, const float *restrict what, float times) {
        for (int at = 0; at < TRAIN_WIDTH; at++) sums[at] += times * what[at];
    }
    /* The gradient of a cell's vector: of the pool, and of its prior; nothing where it was cut off. */
    static inline void cell_gradient(float *restrict gradient, const float *restrict pool, const float *restrict prior,
                                     float share, const float *restrict sums) {
        for (int at = 0; at < TRAIN_WIDTH; at++) gradient[at] = sums[at] > 0 ? pool[at] + share * prior[at] : 0;
    }
    static inline void add_row(float *restrict sums, const float *restrict what) {
        for (int at = 0; at < TRAIN_WIDTH; at++) sums[at] += what[at];
    }
    static inline void adam_row(float *restrict weights, float *restrict gradient, float *restrict first,
                                float *restrict second, float rate, float scale, float unbias) {
        for (int at = 0; at < TRAIN_WIDTH; at++) {
            float now = gradient[at] * scale;
            gradient[at] = 0;
            first[at] = 0.9f * first[at] + 0.1f * now;
            second[at] = 0.999f * second[at] + 0.001f * now * now;
            weights[at] -= rate * first[at] / (__builtin_sqrtf(second[at] * unbias) + 1e-8f);
        }
    }
    static inline void sum_rows(float *restrict sums, const float *restrict a, const float *restrict b,
                                const float *restrict c, const float *restrict d, float most) {
        for (int at = 0; at < TRAIN_WIDTH; at++) {
            float sum = a[at] + b[at] + c[at] + d[at];
            sum = sum < most ? sum : most;
            sums[at] = sum > -most ? sum : -most;
        }
    }
    """
    void rows_add(float *sums, const float *one, const float *two, const float *three, const float *four) noexcept nogil
    void rectify(float *sums, float *pool) noexcept nogil
    float float_dot(const float *one, const float *two) noexcept nogil
    void add_times(float *sums, const float *what, float times) noexcept nogil
    void cell_gradient(float *gradient, const float *pool, const float *prior, float share, const float *sums) noexcept nogil
    void add_row(float *sums, const float *what) noexcept nogil
    void adam_row(float *weights, float *gradient, float *first, float *second, float rate, float scale, float unbias) noexcept nogil
    void sum_rows(float *sums, const float *a, const float *b, const float *c, const float *d, float most) noexcept nogil

cdef enum:
    WIDTH = 32
    HIDDEN = 32
    REACH = 5

cdef float POOL_SCALE = 1.0 / 32
cdef float HIDDEN_MOST = 4.0

# Where the parts of the head begin in its array: prior, hidden, hidden bias, out, direct, out bias.
PARTS = {"prior": 0, "hidden": 32, "hidden_bias": 32 + 1024, "out": 64 + 1024, "direct": 96 + 1024, "out_bias": 128 + 1024}
HEAD = 129 + 1024


@cython.final
cdef class Worker(BoardWorker):
    """What one thread needs: the windows of boards of one size, and gradients."""

    cdef const uint16_t[::1] code_rows
    cdef float[:, ::1] gradients
    cdef uint8_t[::1] marks
    cdef int32_t[::1] touched
    cdef int touched_count
    cdef float[::1] head
    cdef const float *table
    cdef const float *weights               # of the head
    cdef float[:, ::1] sums                 # of the cells with stones around
    cdef int32_t[:, ::1] seen               # their rows
    cdef int32_t[::1] places                # and where they are
    cdef float[::1] odds

    def __init__(self, int rows, int cols):
        BoardWorker.__init__(self, rows, cols, REACH)
        self.code_rows = code_rows()
        count = int(code_rows().max()) + 1
        self.gradients = np.zeros((count, WIDTH), dtype=np.float32)
        self.marks = np.zeros(count, dtype=np.uint8)
        self.touched = np.zeros(count, dtype=np.int32)
        self.head = np.zeros(HEAD, dtype=np.float32)
        self.sums = np.zeros((rows * cols, WIDTH), dtype=np.float32)
        self.seen = np.zeros((rows * cols, 4), dtype=np.int32)
        self.places = np.zeros(rows * cols, dtype=np.int32)
        self.odds = np.zeros(rows * cols, dtype=np.float32)

    def run(self, const float[:, ::1] table, const float[::1] head, *task):
        """As :meth:`BoardWorker.over`, with these weights."""
        self.table, self.weights = &table[0, 0], &head[0]
        self.over(*task)

    cdef Position position(
        self, const uint8_t *packed, int turn, float target, int best, float policy_weight, bint learn,
    ) noexcept nogil:
        cdef Position found
        cdef const float *table = self.table
        cdef const float *head = self.weights
        cdef float[WIDTH] pool, gradient, hidden_gradient
        cdef float[HIDDEN] hidden
        cdef float *own_head = &self.head[0]
        cdef float *row_gradient
        cdef int at, direction, row, empties = 0, best_at = -1, top = -1
        cdef int count = self.gather(packed, turn, &empties)
        cdef float out, most = 0, error, share, best_odds = 0
        cdef double total
        memset(pool, 0, sizeof(pool))
        for at in range(count):
            rows_add(
                &self.sums[at, 0], table + self.seen[at, 0] * WIDTH, table + self.seen[at, 1] * WIDTH,
                table + self.seen[at, 2] * WIDTH, table + self.seen[at, 3] * WIDTH,
            )
            rectify(&self.sums[at, 0], pool)
            self.odds[at] = float_dot(&self.sums[at, 0], head)
            if self.odds[at] > most:
                most, top = self.odds[at], at
            if self.places[at] == best:
                best_at, best_odds = at, self.odds[at]
        # The head.
        for at in range(WIDTH):
            pool[at] *= POOL_SCALE
        out = head[1152] + float_dot(head + 1120, pool)
        for at in range(HIDDEN):
            hidden[at] = head[1056 + at] + float_dot(head + 32 + at * WIDTH, pool)
            out += head[1088 + at] * max(<float>0, min(hidden[at], HIDDEN_MOST))
        found.chance = 1 / (1 + exp(-out))
        # Cross entropy less that of the target itself would be a constant less; this is the whole of it.
        found.loss = <float>(max(out, <float>0) - out * target + log(1 + exp(-(out if out > 0 else -out))))
        # The prior: cells with nothing around them have 0.
        total = (empties - count) * exp(-most)
        for at in range(count):
            self.odds[at] = <float>exp(self.odds[at] - most)
            total += self.odds[at]
        found.policy = <float>(log(total) + most - best_odds) if best >= 0 else 0
        found.hit = best_at >= 0 and best_at == top
        if not learn:
            return found
        # Backwards.
        error = found.chance - target
        own_head[1152] += error
        add_times(own_head + 1120, pool, error)
        for at in range(WIDTH):
            gradient[at] = error * head[1120 + at]
        for at in range(HIDDEN):
            own_head[1088 + at] += error * max(<float>0, min(hidden[at], HIDDEN_MOST))
            if 0 < hidden[at] < HIDDEN_MOST:
                share = error * head[1088 + at]
                own_head[1056 + at] += share
                add_times(own_head + 32 + at * WIDTH, pool, share)
                add_times(gradient, head + 32 + at * WIDTH, share)
        for at in range(WIDTH):
            pool[at] = gradient[at] * POOL_SCALE
        for at in range(count):
            share = 0
            if best >= 0:
                share = policy_weight * (<float>(self.odds[at] / total) - (at == best_at))
                add_times(own_head, &self.sums[at, 0], share)
            cell_gradient(gradient, pool, head, share, &self.sums[at, 0])
            for direction in range(4):
                row = self.seen[at, direction]
                if row:
                    if not self.marks[row]:
                        self.marks[row] = 1
                        self.touched[self.touched_count] = row
                        self.touched_count += 1
                    add_row(&self.gradients[row, 0], gradient)
        return found

    cdef int gather(self, const uint8_t *packed, int turn, int *empties) noexcept nogil:
        """The rows of the empty cells that have stones around them, for the side to move; how many these are."""
        cdef int cell, direction, row, some, count = 0
        self.place(packed, turn)
        for cell in range(self.cells):
            if self.stones[cell] == 0:
                empties[0] += 1
                some = 0
                for direction in range(4):
                    row = self.code_rows[self.windows[cell][direction]]
                    self.seen[count, direction] = row
                    some |= row
                self.places[count] = cell
                count += some != 0
        return count


@cython.final
cdef class Learner:
    """The weights in training: rows as sums of factors, the head, and what Adam remembers of them."""

    cdef readonly object factors, head, table, firsts, seconds, head_first, head_second
    cdef readonly int64_t updates
    cdef list numbers                   # by factor and row
    cdef list gradients, marks
    cdef float most

    def __init__(self, numbers, factors, head, float most):
        self.numbers = [np.ascontiguousarray(each, dtype=np.int32) for each in numbers]
        self.factors = [np.ascontiguousarray(each, dtype=np.float32) for each in factors]
        self.head = np.ascontiguousarray(head, dtype=np.float32)
        self.firsts = [np.zeros_like(each) for each in self.factors]
        self.seconds = [np.zeros_like(each) for each in self.factors]
        self.head_first, self.head_second = np.zeros_like(self.head), np.zeros_like(self.head)
        self.gradients = [np.zeros_like(each) for each in self.factors]
        self.marks = [np.zeros(len(each), dtype=np.uint8) for each in self.factors]
        self.table = np.zeros((len(self.numbers[0]), WIDTH), dtype=np.float32)
        self.most = most
        self.sum_up()

    def resume(self, updates, firsts, seconds, head_first, head_second):
        """Go on where a run ended."""
        self.updates, self.firsts, self.seconds = updates, firsts, seconds
        self.head_first, self.head_second = head_first, head_second

    def sum_up(self):
        """Make the rows anew from their factors; row 0 stays 0."""
        cdef const float[:, ::1] a = self.factors[0], b = self.factors[1], c = self.factors[2], d = self.factors[3]
        cdef const int32_t[::1] na = self.numbers[0], nb = self.numbers[1], nc = self.numbers[2], nd = self.numbers[3]
        cdef float[:, ::1] table = self.table
        cdef Py_ssize_t row
        with nogil:
            for row in range(1, table.shape[0]):
                sum_rows(&table[row, 0], &a[na[row], 0], &b[nb[row], 0], &c[nc[row], 0], &d[nd[row], 0], self.most)

    def update(self, list workers, double rate, Py_ssize_t positions):
        """One step of Adam against the gradients of the workers, which are forgotten."""
        cdef Worker worker
        cdef float scale = 1.0 / positions, step
        cdef float unbias
        self.updates += 1
        step = rate / (1 - 0.9 ** self.updates)
        unbias = 1 / (1 - 0.999 ** self.updates)
        for worker in workers:
            for factor in range(4):
                self._scatter(worker, factor)
            self._forget(worker)
        for factor in range(4):
            self._step(factor, step, scale, unbias)
        self._step_head(workers, step, scale, unbias)
        self.sum_up()

    def _scatter(self, Worker worker, int factor):
        cdef float[:, ::1] gradients = self.gradients[factor]
        cdef uint8_t[::1] marks = self.marks[factor]
        cdef const int32_t[::1] numbers = self.numbers[factor]
        cdef int at, row, number
        with nogil:
            for at in range(worker.touched_count):
                row = worker.touched[at]
                number = numbers[row]
                marks[number] = 1
                add_row(&gradients[number, 0], &worker.gradients[row, 0])

    def _forget(self, Worker worker):
        cdef int at, row
        for at in range(worker.touched_count):
            row = worker.touched[at]
            worker.marks[row] = 0
            memset(&worker.gradients[row, 0], 0, WIDTH * sizeof(float))
        worker.touched_count = 0

    def _step(self, int factor, float rate, float scale, float unbias):
        cdef float[:, ::1] weights = self.factors[factor], gradients = self.gradients[factor]
        cdef float[:, ::1] first = self.firsts[factor], second = self.seconds[factor]
        cdef uint8_t[::1] marks = self.marks[factor]
        cdef Py_ssize_t row
        with nogil:
            for row in range(weights.shape[0]):
                if marks[row]:
                    marks[row] = 0
                    adam_row(&weights[row, 0], &gradients[row, 0], &first[row, 0], &second[row, 0], rate, scale, unbias)

    def _step_head(self, list workers, float rate, float scale, float unbias):
        cdef Worker worker
        gradient = np.zeros(HEAD, dtype=np.float32)
        for worker in workers:
            gradient += np.asarray(worker.head)
            worker.head[:] = 0
        gradient *= scale
        self.head_first += np.float32(0.1) * (gradient - self.head_first)
        self.head_second += np.float32(0.001) * (gradient * gradient - self.head_second)
        self.head -= rate * self.head_first / (np.sqrt(self.head_second * unbias) + np.float32(1e-8))
