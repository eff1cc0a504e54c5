# cython: language_level=3
"""The verifier of holds in C, :file:`hold_verifier.c`, for bytes in memory."""

from libc.stdint cimport uint8_t, uint64_t

cdef extern from "hold_verifier.c" nogil:
    ctypedef struct Finding:
        int accepted
        uint64_t work
        char[2048] reason
    int verify_hold(
        const uint8_t* data, uint64_t length, uint64_t most, uint64_t seed, int thorough, Finding* finding
    )


def judge_hold(bytes data not None, uint64_t most, uint64_t seed, bint thorough):
    """Whether the hold is accepted, the replies and moves that this took, and why it is refused."""
    cdef Finding finding
    cdef const uint8_t* first = <const uint8_t*><const char*>data
    cdef uint64_t length = len(data)
    cdef int done
    with nogil:
        done = verify_hold(first, length, most, seed, thorough, &finding)
    if not done:
        raise MemoryError
    return bool(finding.accepted), finding.work, finding.reason.decode()
