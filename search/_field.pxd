"""A walled field of stones, and who has made a winning row on it, under every rule: inlined into the native searches.

A cell is a place ``(row + 1) * (cols + 1) + col + 1``: the rows lie one behind the other with a wall after each and
a row of walls above and below, so a walk in any direction meets a wall before it could leave the field or enter
another row. No tables: a random rollout asks once a move, and most walks end at the first step.
"""

from libc.stdint cimport int16_t, uint8_t
from libc.string cimport memset

from gomoku_patterns._basics cimport BLACK, MAX_SIDE, WHITE, opponent

cdef enum:
    WALL = 3
    MAX_FIELD = (MAX_SIDE + 2) * (MAX_SIDE + 1) + 1


cdef struct Field:
    int rows
    int cols
    int size                        # places in use
    int steps[4]                    # right, down, down and right, down and left
    bint only_five[3]               # by colour: a longer row wins nothing
    bint can_be_blocked             # five between two opposing stones win nothing
    uint8_t stones[MAX_FIELD]


cdef inline int field_place(const Field *field, int cell) noexcept nogil:
    """The place of a flat cell index."""
    return (cell // field.cols + 1) * (field.cols + 1) + cell % field.cols + 1


cdef inline int field_cell(const Field *field, int place) noexcept nogil:
    """The flat cell index of a place."""
    return (place // (field.cols + 1) - 1) * field.cols + place % (field.cols + 1) - 1


cdef inline int field_set(Field *field, board, const uint8_t *cells) except -1:
    """Take over the size and the rule of a board, and these cells."""
    cdef int cell, rows = board.rows, cols = board.cols
    field.rows, field.cols = rows, cols
    field.size = (rows + 2) * (cols + 1) + 1
    field.steps[0], field.steps[1], field.steps[2], field.steps[3] = 1, cols + 1, cols + 2, cols
    field.only_five[BLACK] = board.rule.only_five(BLACK)
    field.only_five[WHITE] = board.rule.only_five(WHITE)
    field.can_be_blocked = board.rule.can_be_blocked
    memset(field.stones, WALL, MAX_FIELD)
    for cell in range(rows * cols):
        field.stones[field_place(field, cell)] = cells[cell]
    return 0


cdef inline bint field_row_wins(const Field *field, int place, int colour, int step) noexcept nogil:
    cdef int high = place + step, low = place - step, length
    while field.stones[high] == colour:
        high += step
    while field.stones[low] == colour:
        low -= step
    length = (high - low) // step - 1
    if length < 5:
        return False
    if length > 5:
        return not field.only_five[colour]
    return not (field.can_be_blocked and field.stones[low] == field.stones[high] == opponent(colour))


cdef inline bint field_wins(const Field *field, int place, int colour) noexcept nogil:
    """Whether a stone of this colour on the place, put there or not, makes a winning row."""
    return (
        field_row_wins(field, place, colour, field.steps[0])
        or field_row_wins(field, place, colour, field.steps[1])
        or field_row_wins(field, place, colour, field.steps[2])
        or field_row_wins(field, place, colour, field.steps[3])
    )
