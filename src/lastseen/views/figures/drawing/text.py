"""Text in pictures: one font, names made printable, labels that never overlap."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from PIL import ImageDraw, ImageFont

from ....conventions import Bools
from .palette import INK, PAGE, Colour

Box = tuple[float, float, float, float]


@lru_cache(maxsize=16)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the font of all pictures, `size` pixels tall."""
    return ImageFont.load_default(size)


def printable(words: str, longest: int = 60) -> str:
    """Return `words` in characters the font has: accents removed, others as '?', truncated to `longest`."""
    plain = unicodedata.normalize("NFKD", words.replace("²", "2").replace("×", "x").replace("–", "-"))
    kept = "".join(
        letter if letter in "·…°" or 32 <= ord(letter) < 127 else "?"
        for letter in plain
        if not unicodedata.combining(letter)
    )
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


def text_width(words: str, size: int) -> float:
    """Return the width of `words` in pixels."""
    return float(font(size).getlength(words))


class LabelPlacer:
    """Places labels next to their points; a label that would cover another is moved, or omitted.

    `walls` (height, width): pixels that labels avoid if there is room elsewhere.
    """

    def __init__(self, draw: ImageDraw.ImageDraw, width: int, height: int, *, walls: Bools | None = None):
        self._draw = draw
        self._frame = (width, height)
        self._walls = walls
        self._taken: list[Box] = []

    def keep_free(self, x: float, y: float, radius: float) -> None:
        """Keep labels off the symbol at `(x, y)`."""
        self._taken.append((x - radius, y - radius, x + radius, y + radius))

    def take(self, box: Box) -> bool:
        """Reserve a box (left, top, right, bottom) if it is free and within the picture; return whether it was."""
        if not self._free(box):
            return False
        self._taken.append(box)
        return True

    def place(self, x: float, y: float, words: str, *, size: int = 13, colour: Colour = INK, gap: float = 9.0) -> bool:
        """Write `words` near `(x, y)` with a light halo; return whether there was room."""
        words = printable(words, 40)
        if not words:
            return False
        wide, tall = text_width(words, size), size * 1.1
        spots = (
            (x + gap, y - tall / 2),
            (x - gap - wide, y - tall / 2),
            (x - wide / 2, y - gap - tall),
            (x - wide / 2, y + gap),
        )
        if gap == 0.0:
            spots = ((x - wide / 2, y - tall / 2),) * 4
        boxes = [(left - 1, top - 1, left + wide + 1, top + tall + 1) for left, top in spots]
        for box in sorted(boxes, key=self._on_walls):
            if self.take(box):
                left, top = box[0] + 1, box[1] + 1
                self._draw.text((left, top), words, font=font(size), fill=colour, stroke_width=2, stroke_fill=PAGE)
                return True
        return False

    def _on_walls(self, box: Box) -> float:
        """Return the share of a box that lies on walls, rounded to tenths so that a mere touch does not count."""
        if self._walls is None:
            return 0.0
        left, top, right, bottom = (max(0, round(side)) for side in box)
        under = self._walls[top:bottom, left:right]
        return round(float(under.mean()), 1) if under.size else 1.0

    def _free(self, box: Box) -> bool:
        if box[0] < 0 or box[1] < 0 or box[2] > self._frame[0] or box[3] > self._frame[1]:
            return False
        return not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in self._taken
        )
