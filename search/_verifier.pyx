# cython: language_level=3
"""The verifier in C, :file:`verifier.c`, for bytes in memory."""

from libc.stdint cimport uint8_t, uint64_t

cdef extern from "verifier.c" nogil:
    ctypedef struct Verdict:
        int accepted
        uint64_t replies
        uint64_t work
        char[4096] reason
    int verify_proof(
        const uint8_t* data, uint64_t length, uint64_t most, uint64_t seed, int thorough, const uint8_t* proven,
        uint64_t provens, uint8_t* used, Verdict* verdict
    )


def judge(bytes data not None, uint64_t most, uint64_t seed, bint thorough, bytes proven=None):
    """Return whether the proof is accepted, the replies played, the work done, and why it is refused.

    ``proven`` are the positions that other parts prove: least images in ascending order, a byte for each cell. Last
    comes which of them the proof rests on, by their numbers.
    """
    cdef Verdict verdict
    cdef const uint8_t* first = <const uint8_t*><const char*>data
    cdef uint64_t length = len(data), count = 0, cells = 0
    cdef const uint8_t* known = NULL
    cdef bytearray used = bytearray(1)
    cdef uint8_t* marks
    cdef int done
    if proven is not None:
        cells = data[11] * data[12] if length > 12 else 0
        if cells and len(proven) % cells:
            raise ValueError(f"expected positions of {cells} cells each, found {len(proven)} bytes")
        count = len(proven) // cells if cells else 0
        used = bytearray(count + 1)
        known = <const uint8_t*><const char*>proven
    marks = <uint8_t*><char*>used
    with nogil:
        done = verify_proof(first, length, most, seed, thorough, known, count, marks, &verdict)
    if not done:
        raise MemoryError
    rests_on = [number for number in range(count) if used[number]]
    return bool(verdict.accepted), verdict.replies, verdict.work, verdict.reason.decode(), rests_on
