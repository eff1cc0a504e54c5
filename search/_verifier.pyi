from mmap import mmap

def judge(
    data: bytes | mmap, most: int, seed: int, thorough: bool, in_parts: bool = False
) -> tuple[bool, int, int, str, bytes]:
    """Whether the proof is accepted, the replies and the stones that this took, why it is refused, and the stones of
    all positions, one after the other, that other parts have to prove."""
