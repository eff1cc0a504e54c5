# cython: language_level=3
"""The verifier in C, :file:`verifier.c`, for bytes in memory or mapped from a file."""

from libc.stdlib cimport free
from libc.stdint cimport uint8_t, uint64_t

cdef extern from "verifier.c" nogil:
    ctypedef struct Verdict:
        int accepted
        uint64_t replies
        uint64_t stones
        uint64_t needs
        uint8_t* needed
        char[4096] reason
    int verify_proof(
        const uint8_t* data, uint64_t length, uint64_t most, uint64_t seed, int thorough, int in_parts,
        Verdict* verdict
    )


def judge(const uint8_t[::1] data, uint64_t most, uint64_t seed, bint thorough, bint in_parts=False):
    """Whether the proof is accepted, the replies and the stones that this took, why it is refused, and the stones of all
    positions, one after the other, that other parts have to prove."""
    cdef Verdict verdict
    cdef const uint8_t* first = &data[0] if len(data) else NULL
    cdef uint64_t length = len(data)
    cdef int done
    with nogil:
        done = verify_proof(first, length, most, seed, thorough, in_parts, &verdict)
    if not done:
        raise MemoryError
    try:
        needed = verdict.needed[:verdict.needs * data[11] * data[12]] if verdict.needs else b""
    finally:
        free(verdict.needed)
    return bool(verdict.accepted), verdict.replies, verdict.stones, verdict.reason.decode(), needed
