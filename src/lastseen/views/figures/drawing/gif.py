"""Animated GIFs: one palette for all frames, and only pixels that change are stored."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from .page import fit

Progress = Callable[[str, float], None]

_COLOURS = 255
"""Colours of a palette; the last of 256 stands for pixels that do not change."""


def gif_bytes(sheets: Iterable[Image.Image], palette: Image.Image, milliseconds: Sequence[int]) -> bytes:
    """Return an animation of pictures as deterministic GIF bytes; `milliseconds` holds the duration of each frame."""
    frames = (sheet.quantize(palette=palette, dither=Image.Dither.NONE) for sheet in sheets)
    buffer = io.BytesIO()
    next(frames).save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=list(milliseconds),
        loop=0,
        optimize=True,
        disposal=1,
    )
    return buffer.getvalue()


def drawn_frames(
    draw: Callable[[int], Image.Image], count: int, size: tuple[int, int], progress: Progress | None
) -> Iterator[Image.Image]:
    """Draw frames 0 to `count` - 1 one by one, each at the same size, and report progress."""
    for number in range(count):
        if progress is not None:
            progress(f"frame {number + 1} of {count}", number / count)
        yield fit(draw(number), size)


def shared_palette(samples: Sequence[Image.Image], fixed: npt.NDArray[np.uint8]) -> Image.Image:
    """Return one palette for all frames: the `fixed` colours, and the commonest colours of some frames."""
    pixels = np.concatenate([np.asarray(sheet, dtype=np.uint32).reshape(-1, 3) for sheet in samples])
    colour, count = np.unique(pixels @ np.array([65536, 256, 1], dtype=np.uint32), return_counts=True)
    common = colour[np.argsort(-count, kind="stable")]
    # Nearly identical shades count as one, so that rare signs keep their own colour.
    _, first = np.unique(common & 0xF8F8F8, return_index=True)
    common = common[np.sort(first)[: _COLOURS - len(fixed)]]
    rest = np.column_stack([common >> 16, common >> 8 & 255, common & 255]).astype(np.uint8)
    palette = Image.new("P", (1, 1))
    palette.putpalette(np.concatenate([rest, fixed]).tobytes())
    return palette
