"""Encounters of guards and an intruder, drawn on a level or taken from a scenario, which go on after their climax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from ....agents.bodies.bodies import set_mode
from ....conventions import Floats
from ....kernels.arrays.agent_arrays import GONE
from ...scenario.reader import Setting, setting_of
from ...scenario.scenario import Incident
from ...world.world import World
from ..crews.beginnings import CrewTrialSettings, Drawn, Field, Given, Source

KINDS = ("capture", "fight", "hunt", "noise", "scenario")
"""Kinds of encounters: a slow intruder in sight, who is caught; a fight; a hunt for an intruder that was seen; a
gunshot where there is nobody, which is searched for; and a scenario with its agents displaced a little."""
_DRAWN = KINDS[:4]
_SLOW, _WEAK = 0.8, 40.0
"""Walking speed in m/s of an intruder that is caught, and health per guard of one that is beaten."""
_EVADERS = ("roamer", "sight_breaker", "double_backer")
_SEARCHES = ("influence", "coordinator")
_SHOT_AT = 1.0


@dataclass(frozen=True, kw_only=True)
class EncounterSettings(CrewTrialSettings):
    """Settings of encounters, in metres and seconds.

    Attributes
    ----------
    seconds : duration; nothing but a scenario's own time ends an encounter earlier.
    step : of the simulation.
    sizes : numbers of guards in encounters drawn on a level, in turn.
    ranged : 0 … 1, probability of a gun per guard in a fight.
    away : minimum and maximum path length from the first guard to the target at the beginning.
    spread : distance from the first guard within which the others start.
    jitter : maximum displacement of the agents of a scenario at its beginning.
    evaders : brains of the targets of hunts.
    search_seconds : duration of a search in encounters drawn on a level.
    """

    seconds: float = 60.0
    sizes: tuple[int, ...] = (2, 3, 5)
    spread: float = 8.0
    search_seconds: float = 20.0


class Encounters(Field):
    """Create the worlds of one source: the same beginning for a number, with changes of the scenario."""

    def __init__(self, name: str, source: Source, settings: EncounterSettings, seed: int, changes: Mapping[str, Any]):
        super().__init__(name, source, settings, seed)
        self._encounter, self._changes = settings, dict(changes)

    def kind(self, number: int) -> str:
        """Return the kind of an encounter, an entry of `KINDS`."""
        return "scenario" if isinstance(self.source, Given) else _DRAWN[number % len(_DRAWN)]

    def begun(self, number: int) -> World:
        """Return the initial world of an encounter."""
        return self.world(number, crews=True)

    def _size(self, number: int) -> int:
        return self.settings.sizes[(number // len(_DRAWN)) % len(self.settings.sizes)]

    def _given(self, source: Given, crews: bool) -> Setting:
        """Return a scenario that its climax does not end; its crews and rules are its own."""
        del crews
        seconds, ends = min(source.scenario.seconds, self.settings.seconds), tuple[str, ...]()
        scenario = msgspec.structs.replace(source.scenario, step=self.settings.step, seconds=seconds, ends=ends)
        return setting_of(msgspec.structs.replace(scenario, **self._changes), folder=source.folder)

    def _drawn(self, source: Drawn, number: int, draw: np.random.Generator, crews: bool) -> tuple[Setting, Floats]:
        setting, lost = super()._drawn(source, number, draw, crews)
        scenario, kind = setting.scenario, self.kind(number)
        *guards, intruder = scenario.agents
        if kind == "capture":
            intruder = msgspec.structs.replace(
                intruder, brain=_EVADERS[number % len(_EVADERS)], at=tuple(lost.tolist()), speed=_SLOW
            )
        elif kind == "fight":
            intruder = msgspec.structs.replace(intruder, health=_WEAK * len(guards))
        scenario = msgspec.structs.replace(
            scenario,
            agents=(*guards, intruder),
            ends=(),
            rules="guards",
            sharing="on contact",
            search=_SEARCHES[(number // len(_DRAWN)) % len(_SEARCHES)],
            search_seconds=self._encounter.search_seconds,
            script=(Incident("sound", at=_SHOT_AT, kind="gunshot", place=tuple(lost.tolist())),) * (kind == "noise"),
        )
        return setting_of(msgspec.structs.replace(scenario, **self._changes), level=source.level), lost

    def _begin(self, world: World, number: int, lost: Floats) -> None:
        if self.kind(number) == "hunt":
            super()._begin(world, number, lost)
        elif self.kind(number) == "noise":
            set_mode(world.bodies, -1, GONE)
