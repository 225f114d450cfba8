"""Layers that are not part of a run, for a replay: surveyed once a second, or as often as there is room."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...conventions import Array
from .game import Game
from .layers import RECORDED, LayerKind, layer_kinds, packed_values
from .survey import Floods, Survey, instant_of

__all__ = ["MOST_BYTES", "offered_kinds", "surveyed_steps", "surveys_of"]

MOST_BYTES = 32 * 1024 * 1024
"""Maximum bytes of all surveys before compression; a page has to unpack them."""
_SECONDS = 1.0
"""Seconds between two surveys, if there is room."""


def offered_kinds(game: Game) -> tuple[LayerKind, ...]:
    """Return the layers of a replay: the recorded ones, then the surveyed ones with anything to show."""
    kinds = layer_kinds(game.stage)
    return (*RECORDED, *(kind for kind in kinds[len(RECORDED) :] if kind.is_offered))


def surveyed_steps(game: Game, first: int, last: int, kinds: tuple[LayerKind, ...]) -> range:
    """Return the steps that are surveyed: evenly spaced from the first on, 1, 2, 4, 8 … seconds apart."""
    size = max(1, len(game.stage.layout) * (len(kinds) - len(RECORDED)))
    stride = max(1, round(_SECONDS / game.recording.about.step))
    while len(range(first, last + 1, stride)) * size > MOST_BYTES and stride <= last - first:
        stride *= 2
    return range(first, last + 1, stride)


def surveys_of(game: Game, steps: range, kinds: tuple[LayerKind, ...], tell: Callable[[float], None]) -> Array:
    """Return the values of surveyed layers at some steps, (steps, layers, cells) int8 as sent to pages.

    `tell` is called with the share that is done.
    """
    surveyed = kinds[len(RECORDED) :]
    notes = game.recording.about.notes
    survey = Survey(game.stage, *(np.array(notes[name], np.int32) for name in ("watchers", "targets")))
    found = np.zeros((len(steps), len(surveyed), len(game.stage.layout)), np.int8)
    floods = Floods()
    for number, tick in enumerate(steps):
        tell(number / len(steps))
        game.seek(tick)
        instant = instant_of(game, floods)
        for at, kind in enumerate(surveyed):
            found[number, at] = packed_values(kind, survey.values(kind.name, instant))
    return found
