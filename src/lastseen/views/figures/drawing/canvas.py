"""A canvas for one panel, drawn enlarged and scaled down at the end to smooth every edge."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from ....conventions import Array, Bools, Floats
from .palette import PAGE, Colour
from .viewport import Viewport

_MOST_PIXELS = 9_000_000


def packed(colours: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint32]:
    """Return (n, 3) colours as (n,) packed integers, all opaque."""
    opaque = np.column_stack([colours, np.full(len(colours), 255, np.uint8)])
    return np.ascontiguousarray(opaque).view(np.uint32)[:, 0]


class Canvas:
    """A canvas that draws in metres; line widths are in pixels of the finished picture.

    Attributes
    ----------
    view : transform from world to finished pixels.
    fine : transform from world to the enlarged pixels drawn on.
    factor : enlarged pixels per finished pixel along a side, at most `finest`.
    """

    def __init__(self, view: Viewport, background: Colour = PAGE, *, finest: int = 3):
        self.view = view
        wide, tall = view.size
        self.factor = next((f for f in range(finest, 1, -1) if wide * tall * f * f <= _MOST_PIXELS), 1)
        self.fine = Viewport(view.low_xy, view.high_xy, view.scale * self.factor, view.y_down)
        self._size = (wide * self.factor, tall * self.factor)
        self._image = Image.new("RGB", self._size, background)
        self._draw = ImageDraw.Draw(self._image)
        self._hatches: dict[tuple[int, int, bool], Bools] = {}

    def copy(self) -> Canvas:
        """Return a copy that can be drawn on without changing this canvas."""
        other = Canvas.__new__(Canvas)
        other.__dict__.update(self.__dict__)
        other._image = self._image.copy()
        other._draw = ImageDraw.Draw(other._image)
        return other

    def points(self, world: Floats) -> list[tuple[float, float]]:
        """Return the enlarged pixel positions of world positions."""
        return [(x, y) for x, y in self.fine.pixels(world).tolist()]

    def columns_rows(self) -> tuple[Floats, Floats]:
        """Return world x of each enlarged pixel column and world y of each row."""
        scale = self.fine.scale
        x: Floats = self.view.low_xy[0] + (np.arange(self._size[0], dtype=np.float64) + 0.5) / scale
        down: Floats = (np.arange(self._size[1], dtype=np.float64) + 0.5) / scale
        return x, self.view.low_xy[1] + down if self.view.y_down else self.view.high_xy[1] - down

    def polygon(self, outline: Floats, fill: Colour, holes: Sequence[Floats] = (), hole_fill: Colour = PAGE) -> None:
        """Fill a polygon, then its holes."""
        self._draw.polygon(self.points(outline), fill=fill)
        for hole in holes:
            self._draw.polygon(self.points(hole), fill=hole_fill)

    def line(self, world: Floats, colour: Colour, width: float = 1.0, *, closed: bool = False) -> None:
        """Draw a line through world positions, `width` finished pixels wide."""
        points = self.points(world)
        if closed:
            points += points[:2]
        self._draw.line(points, fill=colour, width=self.thick(width), joint="curve")

    def dashes(self, world: Floats, colour: Colour, width: float = 1.0, *, dash: float = 7.0, gap: float = 5.0) -> None:
        """Draw a dashed line; `dash` and `gap` in finished pixels."""
        points = self.fine.pixels(world)
        on, period, along = dash * self.factor, (dash + gap) * self.factor, 0.0
        for start, end in itertools.pairwise(points):
            length = float(np.hypot(*(end - start)))
            if length == 0.0:
                continue
            first = math.floor(along / period)
            for number in range(first, math.floor((along + length) / period) + 1):
                low = max(number * period - along, 0.0) / length
                high = min(number * period + on - along, length) / length
                if high > low:
                    pair = [tuple((start + (end - start) * t).tolist()) for t in (low, high)]
                    self._draw.line(pair, fill=colour, width=self.thick(width))
            along += length

    def segments(self, pairs: Floats, colour: Colour, width: float = 1.0) -> None:
        """Draw many separate lines: (n, 2, 2) world positions."""
        thick = self.thick(width)
        for x0, y0, x1, y1 in self.fine.pixels(pairs.reshape(-1, 2)).reshape(-1, 4).tolist():
            self._draw.line((x0, y0, x1, y1), fill=colour, width=thick)

    def marks(
        self,
        shape: Sequence[tuple[float, float]],
        at: Floats,
        fill: Colour,
        outline: Colour | None = None,
        width: float = 1.2,
    ) -> None:
        """Fill a small symbol (corners in finished pixels around its position, y down) at a world position."""
        x, y = self.points(np.atleast_2d(at))[0]
        corners = [(x + dx * self.factor, y + dy * self.factor) for dx, dy in shape]
        self._draw.polygon(corners, fill=fill)
        if outline is not None:
            self._draw.line([*corners, *corners[:2]], fill=outline, width=self.thick(width), joint="curve")

    def arrow(self, start: Floats, end: Floats, colour: Colour, width: float, head: float, share: float = 1.0) -> None:
        """Draw a line with a head of `head` finished pixels, its tip at a fraction `share`; width 0: no line."""
        pair = np.stack([np.asarray(start)[:2], np.asarray(end)[:2]])
        if width > 0.0:
            self.line(pair, colour, width)
        step = np.diff(self.view.pixels(pair), axis=0)[0]
        angle = math.atan2(step[1], step[0])
        cosine, sine = math.cos(angle), math.sin(angle)
        corners = ((0.0, 0.0), (-1.75 * head, 0.8 * head), (-1.75 * head, -0.8 * head))
        shape = [(x * cosine - y * sine, x * sine + y * cosine) for x, y in corners]
        self.marks(shape, pair[0] + (pair[1] - pair[0]) * share, colour)

    def disc(
        self, at: Floats, radius: float, fill: Colour | None, outline: Colour | None = None, width: float = 1.4
    ) -> None:
        """Draw a disc or ring of `radius` finished pixels."""
        x, y = self.points(np.atleast_2d(at))[0]
        reach = radius * self.factor
        box = (x - reach, y - reach, x + reach, y + reach)
        self._draw.ellipse(box, fill=fill, outline=outline, width=self.thick(width) if outline else 0)

    def blend(self, mask: Bools, colour: Colour, opacity: float = 1.0) -> None:
        """Paint the pixels of a (rows, columns) mask."""
        weight = mask.astype(np.uint8) * np.uint8(round(255 * opacity))
        self._image.paste(colour, (0, 0), Image.fromarray(weight))

    def wash(
        self,
        outlines: Sequence[Floats],
        within: Floats,
        colour: Colour,
        opacity: float,
        soft: float,
        *,
        edge_opacity: float = 0.0,
    ) -> None:
        """Tint polygons where they lie within another; their edges fade out over `soft` finished pixels.

        `edge_opacity` adds a thin line along the edge.
        """
        whole = self.fine.pixels(within)
        edge = math.ceil(2 * soft * self.factor)
        left, top = np.maximum(np.floor(whole.min(axis=0)) - edge, 0).astype(int).tolist()
        right, bottom = np.minimum(np.ceil(whole.max(axis=0)) + edge, self._size).astype(int).tolist()
        if right <= left or bottom <= top:
            return
        weight, frame = (Image.new("L", (right - left, bottom - top), 0) for _ in range(2))
        draw = ImageDraw.Draw(weight)
        for outline in outlines:
            draw.polygon([(x - left, y - top) for x, y in self.points(outline)], fill=round(255 * opacity))
        ImageDraw.Draw(frame).polygon([(x - left, y - top) for x, y in whole.tolist()], fill=255)
        sharp = ImageChops.darker(weight, frame)
        self._image.paste(colour, (left, top), sharp.filter(ImageFilter.BoxBlur(soft * self.factor / 2.0)))
        if edge_opacity > 0.0:
            line = ImageChops.difference(sharp, sharp.filter(ImageFilter.MinFilter(2 * self.factor - 1)))
            strength = round(255 * edge_opacity)
            self._image.paste(colour, (left, top), line.point([0, *([strength] * 255)]))

    def pixels(self) -> npt.NDArray[np.uint8]:
        """Return the enlarged picture drawn so far, (rows, columns, 3)."""
        return np.asarray(self._image)

    def lay(self, colours: npt.NDArray[np.uint32]) -> None:
        """Overlay a (rows, columns) picture of packed colours (see `packed`); 0 leaves a pixel unchanged."""
        over = Image.frombuffer("RGBA", self._size, np.ascontiguousarray(colours), "raw", "RGBA", 0, 1)
        self._image.paste(over, (0, 0), over)

    def fade(self, before: Canvas, strength: float) -> None:
        """Let what was drawn since `before` show through with a strength of 0 … 1."""
        if strength < 1.0:
            self._image.paste(Image.blend(before._image, self._image, strength))

    def paint(self, colours: npt.NDArray[np.uint8], mask: Bools) -> None:
        """Copy the pixels of a (rows, columns, 3) picture where the mask is set."""
        self._image.paste(Image.fromarray(colours), (0, 0), Image.fromarray(mask.astype(np.uint8) * np.uint8(255)))

    def mask(self, outlines: Sequence[Floats]) -> Bools:
        """Return the (rows, columns) mask of some polygons."""
        sheet = Image.new("L", self._size, 0)
        draw = ImageDraw.Draw(sheet)
        for outline in outlines:
            draw.polygon(self.points(outline), fill=1)
        return np.asarray(sheet).astype(bool)

    def numbered(self, outlines: Sequence[tuple[int, Floats]]) -> Array:
        """Return the index of the polygon at each pixel, (rows, columns) int32, -1 for none."""
        sheet = Image.new("I", self._size, -1)
        draw = ImageDraw.Draw(sheet)
        for number, outline in outlines:
            draw.polygon(self.points(outline), fill=number)
        return np.asarray(sheet)

    def hatch(self, period: float = 6.0, width: float = 1.3, *, falling: bool = False) -> Bools:
        """Return a mask of fine diagonal lines over the whole panel, rising to the right or `falling`."""
        key = (self.thick(period), self.thick(width), falling)
        if key not in self._hatches:
            # Every row is the previous one shifted by a pixel, so all rows are windows into one pattern.
            wide, tall = self._size
            first = 1 - tall if falling else 0
            pattern = np.arange(first, first + wide + tall - 1) % key[0] < key[1]
            rows = np.lib.stride_tricks.sliding_window_view(pattern, wide)
            self._hatches[key] = rows[::-1] if falling else rows
        return self._hatches[key]

    def grown(self, mask: Bools, width: float) -> Bools:
        """Return the mask widened by up to `width` finished pixels on every side."""
        for axis in (0, 1):
            narrow = np.moveaxis(mask, axis, 0)
            wide = narrow.copy()
            for shift in range(1, int(width * self.factor) + 1):
                wide[shift:] |= narrow[:-shift]
                wide[:-shift] |= narrow[shift:]
            mask = np.moveaxis(wide, 0, axis)
        return mask

    def thick(self, width: float) -> int:
        """Return a width in enlarged pixels, at least one."""
        return max(1, round(width * self.factor))

    def finished(self) -> Image.Image:
        """Return the panel at its final size."""
        return self._image if self.factor == 1 else self._image.reduce(self.factor)
