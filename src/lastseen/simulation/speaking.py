"""How the people of a world speak: their rules, where places are called what, and how long exchanges are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..agents.brains.bark_variables import SIDES
from ..agents.brains.mind import Mind
from ..agents.brains.surroundings import Surroundings
from ..agents.brains.voices import Voices
from ..agents.rules.casting import checked_roles
from ..agents.rules.pack import RulePack
from ..agents.rules.placeholders import FILLS, Placeholders
from ..agents.rules.rule import Database
from ..agents.rules.speech import Speech
from ..agents.rules.utterance import SpeechSettings
from .place_names import PlaceNames

__all__ = ["SETTINGS", "checked_speech", "make_speech"]

SETTINGS = SpeechSettings(most_lines=4)
"""Small talk goes to and fro twice; what is said in earnest ends sooner by its rules."""

_ADVERBS = ("upstairs", "downstairs", "inside", "outside")


def checked_speech(database: Database) -> None:
    """Raise a RuleError if people of a world cannot speak by these rules: unknown roles, places nothing fills."""
    checked_roles(database, SIDES)
    Placeholders(database, FILLS)


def make_speech(
    world: Surroundings, minds: list[Mind], rules: RulePack, *, language: str, facts: Mapping[str, Any]
) -> tuple[Voices, Speech]:
    """Return the voices of a world and their speech; `facts` are what the level's designer set, by path."""
    names = PlaceNames(world.level)

    known: dict[tuple[int, ...], str] = {}

    def place_name(xyz: tuple[float, float, float]) -> str:
        key = tuple(round(value) for value in xyz)  # asked once for each metre
        if key not in known:
            found = names.zone(xyz) or names.near(xyz)
            known[key] = "" if found in _ADVERBS else found
        return known[key]

    voices = Voices(world, minds, rules.database(), place_name=place_name, facts=facts)
    return voices, Speech(rules, voices, seed=world.seed, language=language, settings=SETTINGS)
