"""Set up the speech of a world: rules, names of places, and the distance sound travels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...agents.brains.bark_variables import FIXED_SIDES, GIVEN, SIDES, VARIABLES
from ...agents.brains.mind import Mind, Place
from ...agents.brains.voices import Voices
from ...agents.rules.engine.pack import RulePack
from ...agents.rules.language.faults import RuleFileError
from ...agents.rules.language.rule import Database, VariableSpec
from ...agents.rules.shipped_rules import shipped_rules
from ...agents.rules.speech.game_checks import GameOffer, refused_rules
from ...agents.rules.speech.speech import Speech
from ...agents.rules.speech.utterance import SpeechSettings
from ...agents.senses.hearing.hearing import PathHearing
from ...kernels.sight.sight_line import clear_lines
from .parts import Talk
from .place_names import PlaceNames
from .world import World

if TYPE_CHECKING:
    from ..scenario.reader import Setting

SETTINGS = SpeechSettings(most_lines=4)
"""Small talk goes to and fro twice; what is said in earnest ends sooner by its rules."""

_FARTHEST = 200.0
"""Maximum metres of a path of sound that is measured."""
_EAR = 1.5
_ADVERBS = ("upstairs", "downstairs", "inside", "outside")


def shipped_game(facts: Iterable[str] = ()) -> GameOffer:
    """Return what a world provides to rules; `facts` are the variables set by its scenario."""
    specs = shipped_rules("guards").variables
    given: dict[str, VariableSpec | None] = {path: specs.get(path) for path in VARIABLES}
    given |= dict.fromkeys(("blackboard.", *facts))  # Trees and scenarios give these any value.
    # Trees give it any text.
    given["bark.trigger"] = VariableSpec("bark.trigger", "str", specs["bark.trigger"].names)
    given |= {path: specs.get(path) for path in GIVEN}
    return GameOffer({**given, "npc.voice": None}, sides=SIDES + FIXED_SIDES)


def checked_speech(database: Database) -> None:
    """Raise a RuleFileError if rules use unknown roles or placeholders."""
    faults = refused_rules(database, GameOffer({}, sides=SIDES + FIXED_SIDES))
    if faults:
        raise RuleFileError(faults)


def _loudspeakers(setting: Setting) -> dict[str, Place]:
    """Return the places of loudspeakers by name: those of the scenario, else those of the level."""
    given = setting.scenario.loudspeakers
    if given is not None:
        return {name: (place[0], place[1], place[2] if len(place) > 2 else 0.0) for name, place in given.items()}
    markers = [marker for marker in setting.level.markers if marker.kind == "loudspeaker"]
    return {marker.name or f"loudspeaker {number + 1}": marker.xyz for number, marker in enumerate(markers)}


def make_speech(
    world: World, minds: list[Mind], rules: RulePack, setting: Setting, *, facts: Mapping[str, Any]
) -> Talk:
    """Return the speech of a world and its voices; `facts` are variables set by the scenario, by path."""
    names = PlaceNames(world.level)

    known: dict[tuple[int, ...], str] = {}

    def place_name(xyz: tuple[float, float, float]) -> str:
        key = tuple(round(value) for value in xyz)  # computed once per metre
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
        sound_way=_sound_path(world),
        facts=facts,
        groups=tuple(spec.rules for spec in setting.agents),
        loudspeakers=_loudspeakers(setting),
    )
    language = setting.scenario.language
    return Talk(Speech(rules, voices, seed=world.cast.seed, language=language, settings=SETTINGS), voices)


def _sound_path(world: World) -> Callable[[Place, Place], float]:
    """Return a function that measures the path of a sound: straight if the line is clear, else along cells."""
    hearing = world.senses.hearing
    if not isinstance(hearing, PathHearing):
        return math.dist

    def metres(source: Place, ear: Place) -> float:
        clear = np.zeros(1, np.bool_)
        ends = np.array([source, ear]) + np.array([0.0, 0.0, _EAR])
        clear_lines(world.sight.arrays, ends[:1], ends[1:], clear)
        return math.dist(source, ear) if clear[0] else float(hearing.distances([source], [ear], _FARTHEST)[0, 0])

    return metres
