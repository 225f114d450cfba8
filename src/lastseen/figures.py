"""Draw levels, cells and layers into pictures."""

from __future__ import annotations

from .views.figures.drawing.heat import Heat
from .views.figures.level.layout_figure import Shown, draw_layout

__all__ = [
    "Heat",
    "Shown",
    "draw_layout",
]
