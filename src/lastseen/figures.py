"""Draw levels, cells and layers into pictures, and put events and recordings into words."""

from __future__ import annotations

from .views.figures.drawing.heat import Heat
from .views.figures.level.layout_figure import Shown, draw_layout
from .views.prose.sentences import Sentences
from .views.prose.story import Sentence, story_of

__all__ = [
    "Heat",
    "Sentence",
    "Sentences",
    "Shown",
    "draw_layout",
    "story_of",
]
