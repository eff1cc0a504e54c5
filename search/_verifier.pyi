from mmap import mmap

def judge(data: bytes | mmap, most: int, seed: int, thorough: bool) -> tuple[bool, int, int, str]:
    """Whether the proof is accepted, the replies and the stones that this took, and why it is refused."""
