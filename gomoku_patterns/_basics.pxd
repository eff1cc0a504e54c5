"""What every native module stands on: the sizes of boards, bits, the clock, random numbers and hashes, each in one place."""

from libc.stdint cimport uint64_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef enum:
    # Colours as ``gomoku_patterns.Colour`` numbers them; 0 is an empty cell.
    BLACK = 1
    WHITE = 2
    MAX_SIDE = 22
    MAX_CELLS = 484
    # Rows, columns and diagonals of the largest board: 3 * (22 + 22) - 2.
    MAX_LINES = 130


cdef inline int opponent(int colour) noexcept nogil:
    return BLACK + WHITE - colour


# Native arrays that hold something for each colour and nothing for empty cells are indexed by side.
cdef inline int side_of(int colour) noexcept nogil:
    return colour - BLACK


cdef inline int colour_of(int side) noexcept nogil:
    return side + BLACK


# What a cell sees one way, up to some reach, is a side: a number in base 3 with the nearest cell as its lowest digit, and
# sides of fewer cells, cut off by the edge, come first. There are 1 + 3 + 9 + ... of them.
cdef inline int side_start(int cells) noexcept nogil:
    """The number of the first side of so many cells."""
    cdef int start = 0, at
    for at in range(cells):
        start = 3 * start + 1
    return start


cdef extern from *:
    """
    #include <stdint.h>
    static inline int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }
    static inline int bit_count(uint64_t word) { return __builtin_popcountll(word); }
    static inline void prefetch(const void *place) { __builtin_prefetch(place); }
    """
    # The number of the lowest bit set; of no bits there is none, and the answer is anything.
    int lowest_bit(uint64_t word) noexcept nogil
    int bit_count(uint64_t word) noexcept nogil
    # Memory that will be asked for soon: the wait for it begins now.
    void prefetch(const void *place) noexcept nogil


cdef inline double now() noexcept nogil:
    """Seconds on the monotonic clock, without the GIL."""
    cdef timespec moment
    clock_gettime(CLOCK_MONOTONIC, &moment)
    return moment.tv_sec + 1e-9 * moment.tv_nsec


cdef inline uint64_t next_random(uint64_t *state) noexcept nogil:
    """The next number of SplitMix64: any state will do as a seed, and all 64 bits are good."""
    cdef uint64_t mixed
    state[0] += 0x9E3779B97F4A7C15ULL
    mixed = (state[0] ^ (state[0] >> 30)) * 0xBF58476D1CE4E5B9ULL
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL
    return mixed ^ (mixed >> 31)


cdef inline uint64_t spread(uint64_t key, int bits) noexcept nogil:
    """A slot of 2 ** bits for a key: 2 ** 64 over the golden ratio carries every bit of a key into the upper ones."""
    return (key * <uint64_t>0x9E3779B97F4A7C15ULL) >> (64 - bits)
