def judge_hold(data: bytes, most: int, seed: int, thorough: bool) -> tuple[bool, int, str]:
    """Whether the hold is accepted, the replies and moves that this took, and why it is refused."""
