# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""What the workers of every kind of table share in training: the windows of a board, and the loop over positions.

A window is a number: at distance d a stone is worth 3 ** (d - 1) on its side of the cell. A kind of table says in one
method what a position's losses and gradients are; it is a virtual call, one a position.
"""

from libc.string cimport memcpy

from gomoku_patterns._basics cimport side_start

import numpy as np


cdef class BoardWorker:
    """What one thread needs to read boards of one size."""

    def __init__(self, int rows, int cols, int reach):
        cdef int distance
        self.rows, self.cols, self.reach, self.cells = rows, cols, reach, rows * cols
        self.digits[0] = 0
        for distance in range(1, reach + 1):
            self.digits[distance] = 3 * self.digits[distance - 1] if distance > 1 else 1
        self.sides = side_start(reach + 1)
        self.empty = np.zeros((self.cells, 4), dtype=np.int32)
        self.steps[0], self.steps[1], self.steps[2], self.steps[3] = 1, cols, cols + 1, cols - 1
        for cell in range(self.cells):
            for direction in range(4):
                before, after = self.within(cell, direction)
                self.empty[cell, direction] = side_start(before) * self.sides + side_start(after)

    cdef (int, int) within(self, int cell, int direction) noexcept nogil:
        """How many cells lie within reach before and after a cell."""
        cdef int row = cell // self.cols, col = cell % self.cols
        cdef int up = min(self.reach, row), down = min(self.reach, self.rows - 1 - row)
        cdef int left = min(self.reach, col), right = min(self.reach, self.cols - 1 - col)
        if direction == 0:
            return left, right
        if direction == 1:
            return up, down
        if direction == 2:
            return min(up, left), min(down, right)
        return min(up, right), min(down, left)

    cdef void place(self, const uint8_t *packed, int first) noexcept nogil:
        """Read a board: its stones, and all windows, in which those of the first colour are 1 and the others 2."""
        cdef int cell, direction, distance, step, before, after, digit
        memcpy(self.windows, &self.empty[0, 0], self.cells * 4 * sizeof(int32_t))
        for cell in range(self.cells):
            self.stones[cell] = packed[cell >> 2] >> (2 * (cell & 3)) & 3
            if self.stones[cell]:
                digit = 1 if self.stones[cell] == first else 2
                for direction in range(4):
                    step = self.steps[direction]
                    before, after = self.within(cell, direction)
                    for distance in range(1, before + 1):
                        self.windows[cell - distance * step][direction] += digit * self.digits[distance]
                    for distance in range(1, after + 1):
                        self.windows[cell + distance * step][direction] += digit * self.digits[distance] * self.sides

    cdef Position position(
        self, const uint8_t *packed, int turn, float target, int best, float policy_weight, bint learn,
    ) noexcept nogil:
        """The losses of one position; if it is to learn, its gradients are added to those that are there."""
        cdef Position found
        found.loss = found.policy = found.chance = 0
        found.hit = 0
        return found

    def over(
        self, const uint8_t[:, ::1] cells, const uint8_t[::1] turns, const float[::1] targets, const int16_t[::1] best,
        const int64_t[::1] order, float policy_weight, bint learn, float[:, ::1] told,
    ):
        """The value loss, policy loss, chance and whether the best move was found of the positions of ``order`` into
        ``told``; if it is to learn, also their gradients, on top of those that are there."""
        cdef Position one
        cdef Py_ssize_t at
        cdef int64_t number
        with nogil:
            for at in range(order.shape[0]):
                number = order[at]
                one = self.position(
                    &cells[number, 0], turns[number], targets[number], best[number], policy_weight, learn,
                )
                told[at, 0], told[at, 1], told[at, 2], told[at, 3] = one.loss, one.policy, one.chance, one.hit
