def judge(
    data: bytes, most: int, seed: int, thorough: bool, proven: bytes | None = None
) -> tuple[bool, int, int, str, list[int]]:
    """Return whether the proof is accepted, the replies played, the work done, and why it is refused.

    ``proven`` are the positions that other parts prove: least images in ascending order, a byte for each cell. Last
    comes which of them the proof rests on, by their numbers.
    """
