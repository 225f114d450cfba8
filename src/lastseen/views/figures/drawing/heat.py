"""Layers as colour: values to colours, and the legend that explains them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from ....checks import frozen
from ....conventions import Bools, Floats
from ....errors import InputError
from .palette import HATCH, INK, PAGE, QUIET_INK, WALKABLE, scale_colours
from .text import font, printable, text_width


@dataclass(frozen=True)
class Heat:
    """One value per cell to be shown as colour.

    Attributes
    ----------
    values : (N,) float64; NaN for none (unreached, disabled): those cells are hatched.
    name, unit : text of the legend.
    sources_xyz : (n, 3) float64, positions marked with a ring, where the values spread from.
    scale : name of the colour scale.
    none : what the legend calls cells without a value.
    """

    values: Floats
    name: str
    unit: str = ""
    sources_xyz: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    scale: str = "heat"
    none: str = "no value"

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values, np.float64))
        if not np.isfinite(self.values).any():
            raise InputError(f"layer {self.name!r} has no finite value to draw; give it values first")

    @property
    def known(self) -> Bools:
        """Cells that have a value, (N,) bool."""
        return np.isfinite(self.values)

    @property
    def span(self) -> tuple[float, float]:
        """Lowest and highest value; a scale without negative values starts at zero."""
        low, high = float(self.values[self.known].min()), float(self.values[self.known].max())
        return (min(low, 0.0) if low < high or low >= 0.0 else low), high


def heat_colours(heat: Heat) -> npt.NDArray[np.uint8]:
    """Return the colour of every cell, (N, 3) uint8; cells without a value keep the colour of the floor."""
    low, high = heat.span
    share = (heat.values - low) / (high - low) if high > low else np.where(heat.known, 0.0, np.nan)
    colours = scale_colours(heat.scale)[np.clip(np.nan_to_num(share, nan=0.0) * 255.0, 0, 255).round().astype(np.intp)]
    return np.where(heat.known[:, None], colours, np.array(WALKABLE, dtype=np.uint8))


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers between `low` and `high`, at most `most` of them."""
    if not high > low:
        return [low]
    rough = (high - low) / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1.0, 2.0, 2.5, 5.0, 10.0, 20.0) if factor * power >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [number * step + 0.0 for number in range(first, math.floor(high / step + 1e-9) + 1)]


def draw_legend(heat: Heat, width: int = 256) -> Image.Image:
    """Return the legend: the name, the scale with round numbers and its unit, and the meaning of hatching."""
    low, high = heat.span
    tail = 0 if heat.known.all() else 40 + math.ceil(text_width(heat.none, 12))
    head = math.ceil(max(width, text_width(_caption(heat), 13)))
    image = Image.new("RGB", (head + 16 + tail, 52), PAGE)
    draw = ImageDraw.Draw(image)
    draw.text((8, 0), _caption(heat), font=font(13), fill=INK)
    bar = scale_colours(heat.scale, width)[None].repeat(12, axis=0)
    image.paste(Image.fromarray(bar), (8, 19))
    draw.rectangle((7, 18, 8 + width, 31), outline=QUIET_INK)
    for tick in nice_ticks(low, high):
        x = 8 + (width - 1) * ((tick - low) / (high - low) if high > low else 0.0)
        words = f"{tick:g}"
        draw.line((x, 31, x, 35), fill=QUIET_INK)
        left = min(max(x - text_width(words, 12) / 2, 0.0), image.width - text_width(words, 12))
        draw.text((left, 36), words, font=font(12), fill=QUIET_INK)
    if tail:
        _hatched_box(image, 16 + head, 19)
        draw.text((16 + head + 26, 18), heat.none, font=font(12), fill=QUIET_INK)
    return image


def _caption(heat: Heat) -> str:
    return printable(f"{heat.name} ({heat.unit})" if heat.unit else heat.name)


def _hatched_box(image: Image.Image, left: int, top: int) -> None:
    across, down = np.arange(20)[None, :], np.arange(13)[:, None]
    lines = np.where(((across + down) % 5 < 1)[..., None], HATCH, WALKABLE).astype(np.uint8)
    image.paste(Image.fromarray(lines), (left, top))
    ImageDraw.Draw(image).rectangle((left - 1, top - 1, left + 20, top + 13), outline=QUIET_INK)
