"""Reading pictures back: decoded pixels, and where a world position fell."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from lastseen.views.figures.drawing import palette


def decoded(png: bytes) -> np.ndarray:
    """Return (rows, columns, 3) uint8 of a PNG."""
    with Image.open(io.BytesIO(png)) as image:
        assert image.format == "PNG"
        return np.asarray(image.convert("RGB"))


def share_of(pixels: np.ndarray, colour: tuple[int, int, int], tolerance: int = 6) -> float:
    """Return the share of pixels within `tolerance` of a colour."""
    return float((np.abs(pixels.astype(np.int16) - np.int16(colour)).max(axis=-1) <= tolerance).mean())


def has_colours_of(pixels: np.ndarray, scale: str, at_least: int) -> bool:
    """Return whether at least so many different colours of a scale occur."""
    return len(np.intersect1d(_packed(pixels), _packed(palette.scale_colours(scale)))) >= at_least


def _packed(colours: np.ndarray) -> np.ndarray:
    """Return the different colours of any picture, each as one number: far faster to sort than three."""
    return np.unique(colours.reshape(-1, 3).astype(np.uint32) @ np.array([65536, 256, 1], np.uint32))


def look_alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two pictures show the same; letters may fall a pixel aside in another drawing library."""
    if one.shape != other.shape:
        return False
    return bool((np.abs(one.astype(np.int16) - other).max(axis=-1) > 24).mean() < 0.01)
