"""How the people of a world speak: their rules, where places are called what, and how long exchanges are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...agents.brains.bark_variables import SIDES
from ...agents.brains.mind import Mind, Place
from ...agents.brains.voices import Voices
from ...agents.rules.engine.pack import RulePack
from ...agents.rules.language.rule import Database
from ...agents.rules.speech.answers import checked_roles
from ...agents.rules.speech.memory import FILLS, Placeholders
from ...agents.rules.speech.speech import Speech
from ...agents.rules.speech.utterance import SpeechSettings
from ...agents.senses.hearing.hearing import PathHearing
from ...kernels.sight.sight_line import clear_lines
from .parts import Talk
from .place_names import PlaceNames
from .world import World

SETTINGS = SpeechSettings(most_lines=4)
"""Small talk goes to and fro twice; what is said in earnest ends sooner by its rules."""

_FARTHEST = 200.0
"""Metres beyond which nobody asks how far a sound has come."""
_EAR = 1.5
_ADVERBS = ("upstairs", "downstairs", "inside", "outside")


def checked_speech(database: Database) -> None:
    """Raise a RuleError if people of a world cannot speak by these rules: unknown roles, places nothing fills."""
    checked_roles(database, SIDES)
    Placeholders(database, FILLS)


def make_speech(world: World, minds: list[Mind], rules: RulePack, *, language: str, facts: Mapping[str, Any]) -> Talk:
    """Return the speech of a world and its voices; `facts` are what the level's designer set, by path."""
    names = PlaceNames(world.level)

    known: dict[tuple[int, ...], str] = {}

    def place_name(xyz: tuple[float, float, float]) -> str:
        key = tuple(round(value) for value in xyz)  # asked once for each metre
        if key not in known:
            found = names.zone(xyz) or names.near(xyz)
            known[key] = "" if found in _ADVERBS else found
        return known[key]

    voices = Voices(
        world,
        minds,
        rules.database(),
        place_name=place_name,
        place_light=lambda xyz: float(world.script.lighting.at(np.array([xyz]))[0]),
        sound_way=_sound_way(world),
        facts=facts,
    )
    return Talk(Speech(rules, voices, seed=world.cast.seed, language=language, settings=SETTINGS), voices)


def _sound_way(world: World) -> Callable[[Place, Place], float]:
    """Return what measures the way of a sound as hearing does: straight where one can see, else along the cells."""
    hearing = world.senses.hearing
    if not isinstance(hearing, PathHearing):
        return math.dist

    def metres(source: Place, ear: Place) -> float:
        clear = np.zeros(1, np.bool_)
        ends = np.array([source, ear]) + np.array([0.0, 0.0, _EAR])
        clear_lines(world.sight.arrays, ends[:1], ends[1:], clear)
        return math.dist(source, ear) if clear[0] else float(hearing.distances([source], [ear], _FARTHEST)[0, 0])

    return metres
