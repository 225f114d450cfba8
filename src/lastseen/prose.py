"""Turn events and recordings into sentences."""

from __future__ import annotations

from .views.prose.sentences import Sentences
from .views.prose.story import Sentence, story_of

__all__ = [
    "Sentence",
    "Sentences",
    "story_of",
]
