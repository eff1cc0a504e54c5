# cython: language_level=3
"""The verifier in C, :file:`verifier.c`, for bytes in memory or mapped from a file."""

from libc.stdint cimport uint8_t, uint64_t

cdef extern from "verifier.c" nogil:
    ctypedef struct Verdict:
        int accepted
        uint64_t replies
        uint64_t stones
        char[4096] reason
    int verify_proof(
        const uint8_t* data, uint64_t length, uint64_t most, uint64_t seed, int thorough, Verdict* verdict
    )


def judge(const uint8_t[::1] data, uint64_t most, uint64_t seed, bint thorough):
    """Whether the proof is accepted, the replies and the stones that this took, and why it is refused."""
    cdef Verdict verdict
    cdef const uint8_t* first = &data[0] if len(data) else NULL
    cdef uint64_t length = len(data)
    cdef int done
    with nogil:
        done = verify_proof(first, length, most, seed, thorough, &verdict)
    if not done:
        raise MemoryError
    return bool(verdict.accepted), verdict.replies, verdict.stones, verdict.reason.decode()
