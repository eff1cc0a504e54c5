"""The symmetries of a board, on positions as bytes: eight of a square, four of another rectangle.

>>> board = Symmetries(5, 5)
>>> corner, other = bytes([1] + [0] * 24), bytes([0] * 24 + [1])
>>> board.canonical(corner)[0] == board.canonical(other)[0]
True
"""

from __future__ import annotations

from operator import itemgetter


class Symmetries:
    """Images of positions and cells. A cell is its index in ``Board.flat``; the first symmetry changes nothing."""

    def __init__(self, rows: int, cols: int) -> None:
        self.to: list[list[int]] = []
        for number in range(8 if rows == cols else 4):
            image = [_image(number, index // cols, index % cols, rows, cols) for index in range(rows * cols)]
            self.to.append(image)
        self.back: list[list[int]] = [sorted(range(len(image)), key=image.__getitem__) for image in self.to]
        self._turned = [itemgetter(*back) for back in self.back]

    def image(self, cells: bytes, number: int) -> bytes:
        """The position seen that way."""
        return bytes(self._turned[number](cells))

    def canonical(self, cells: bytes) -> tuple[bytes, int]:
        """The greatest image of a position, which all its images share, and which symmetry leads there."""
        images = [bytes(turned(cells)) for turned in self._turned]
        best = max(images)
        return best, images.index(best)

    def of(self, cells: bytes) -> list[int]:
        """The symmetries that leave a position as it is."""
        return [number for number, turned in enumerate(self._turned) if bytes(turned(cells)) == cells]

    def mask_back(self, mask: int, number: int) -> int:
        """A set of cells, a bit each, of the image, as cells of the position."""
        result, image = 0, self.to[number]
        for index, there in enumerate(image):
            if mask >> there & 1:
                result |= 1 << index
        return result


def _image(number: int, row: int, col: int, rows: int, cols: int) -> int:
    if number & 1:
        row = rows - 1 - row
    if number & 2:
        col = cols - 1 - col
    return col * cols + row if number & 4 else row * cols + col
