"""Views: the part of the world a picture shows, and its scale from metres to pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....conventions import Floats
from ....errors import InputError

LARGEST_SIDE = 8000
"""Largest width or height of a picture in pixels."""

_WIDE, _TALL = 1760, 1180
_CLOSEST = 40.0


@dataclass(frozen=True)
class Viewport:
    """A rectangle of the world at `scale` pixels per metre; y runs down the picture for tile maps, up otherwise."""

    low_xy: tuple[float, float]
    high_xy: tuple[float, float]
    scale: float
    y_down: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        wide = max(1, round((self.high_xy[0] - self.low_xy[0]) * self.scale))
        return wide, max(1, round((self.high_xy[1] - self.low_xy[1]) * self.scale))

    def pixels(self, points: Floats) -> Floats:
        """Return (n, 2) float64 pixel positions of (n, 2) or (n, 3) world positions."""
        points = np.asarray(points, dtype=np.float64).reshape(-1, np.shape(points)[-1])
        x = (points[:, 0] - self.low_xy[0]) * self.scale
        y = points[:, 1] - self.low_xy[1] if self.y_down else self.high_xy[1] - points[:, 1]
        return np.column_stack([x, y * self.scale])


def choose_view(
    low_xy: Floats, high_xy: Floats, *, panels: int, scale: float | None, y_down: bool
) -> tuple[Viewport, int]:
    """Return the view of a rectangle shown in `panels` panels, and the number of panels per row.

    Without `scale`, it is chosen so that everything fits a large screen; a scale that would exceed `LARGEST_SIDE`
    raises an error that names the largest one allowed.
    """
    margin = max(0.6, 0.015 * float(np.max(high_xy - low_xy)))
    low, high = low_xy - margin, high_xy + margin
    wide, tall = np.maximum(high - low, 1e-6).tolist()
    fits = {across: _fit(wide, tall, panels, across, _WIDE, _TALL) for across in range(1, panels + 1)}
    # Side by side unless wrapping shows everything much larger.
    across = max(fits, key=lambda count: fits[count] * (1.5 if count == panels else 1.0))
    if scale is None:
        scale = min(_CLOSEST, fits[across])
    else:
        most = _fit(wide, tall, panels, across, LARGEST_SIDE, LARGEST_SIDE)
        if not 0.0 < scale <= most:
            raise InputError(
                f"scale is {scale:g} pixels per metre; this level is {wide:.4g} m x {tall:.4g} m, "
                f"so give more than 0 and at most {np.floor(most * 100) / 100:g}"
            )
    corner = (float(low[0]), float(low[1]))
    return Viewport(corner, (float(high[0]), float(high[1])), float(scale), y_down), across


def _fit(wide: float, tall: float, panels: int, across: int, width: int, height: int) -> float:
    """Return the scale at which `panels` rectangles, `across` in a row, fit with their titles and gaps."""
    down = -(-panels // across)
    return float(
        min((width - 60 - 28 * (across - 1)) / (across * wide), (height - 190 - 44 * (down - 1)) / (down * tall))
    )
