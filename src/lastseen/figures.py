"""Draw levels, cells and layers into pictures."""

from __future__ import annotations

from .views.figures.heat import Heat
from .views.figures.layout_figure import Shown, draw_layout

__all__ = [
    "Heat",
    "Shown",
    "draw_layout",
]
