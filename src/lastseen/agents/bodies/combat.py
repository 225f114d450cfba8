"""Combat: who is armed how, how hurt, and busy with which attack. Only scenarios with `combat` have it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args

import msgspec
import numpy as np

from ...conventions import Floats
from ...kernels.arrays.agent_arrays import BodyArrays
from ...kernels.arrays.level_arrays import SightArrays
from ...kernels.bodies.fire_lines import first_in_line
from ...kernels.sight.sight_line import is_clear
from .bodies import STANCES

AttackKind = Literal["none", "melee", "ranged"]
ATTACKS: tuple[AttackKind, ...] = get_args(AttackKind)

Metres = Annotated[float, msgspec.Meta(gt=0.0, le=1000.0)]
Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=600.0)]
Points = Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]
Chance = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]

_HEIGHT = 2.0
"""Metres above the feet up to which a body is in the way of a shot."""


class CombatRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How fights go; all numbers are ours.

    Attributes
    ----------
    friendly_fire : whether shots are fired though a colleague stands in their line, and hit that colleague; else they
        are held.
    reach, range : metres at which one can strike and shoot.
    strike_seconds, shot_seconds : from the beginning of an attack to the blow: time to see it coming.
    strike_rest, shot_rest : seconds after a blow before the same one may attack again.
    strike_damage, shot_damage : health a hit costs.
    near_chance, far_chance : how likely a shot hits at no distance and at its full range.
    """

    friendly_fire: bool = False
    reach: Metres = 1.8
    range: Metres = 20.0
    strike_seconds: Seconds = 0.4
    shot_seconds: Seconds = 0.6
    strike_rest: Seconds = 1.0
    shot_rest: Seconds = 1.4
    strike_damage: Points = 20.0
    shot_damage: Points = 12.0
    near_chance: Chance = 0.95
    far_chance: Chance = 0.5


@dataclass(frozen=True)
class Blow:
    """An attack that was begun: on whom, and the second when it comes."""

    kind: Literal["strike", "shoot"]
    target: int
    due: float


@dataclass
class Combat:
    """The fights of a world. Written by the simulation when it carries out acts, read by minds.

    Attributes
    ----------
    attack : by agent, how it is armed.
    health, most_health : (n,) float64; at 0 one goes down.
    ready : (n,) float64 seconds from which on each may begin an attack.
    blows : attacks that were begun, by attacker.
    ended : by attacker, the second when its last attack ended and how: "hit", "missed", "held".
    hurt : by agent, the second when it was hit last, and by whom.
    beaten : those who went down and are not looked for any more.
    crossed : by shooter and colleague, the second when the colleague was last in its line.
    """

    rules: CombatRules
    attack: tuple[AttackKind, ...]
    health: Floats
    most_health: Floats
    ready: Floats
    draw: np.random.Generator
    blows: dict[int, Blow] = field(default_factory=dict)
    ended: dict[int, tuple[float, str]] = field(default_factory=dict)
    hurt: dict[int, tuple[float, int]] = field(default_factory=dict)
    beaten: set[int] = field(default_factory=set)
    crossed: dict[tuple[int, int], float] = field(default_factory=dict)

    def is_attacking(self, agent: int) -> bool:
        """Has it begun an attack that has not come yet?"""
        return agent in self.blows

    def waits(self, agent: int, now: float) -> float:
        """Seconds until it may begin an attack; 0: now."""
        return max(0.0, float(self.ready[agent]) - now)

    def distance(self, agent: int) -> tuple[float, float]:
        """Metres from a foe between which an agent fights best, by its arms."""
        if self.attack[agent] == "ranged":
            return min(5.0, 0.5 * self.rules.range), min(9.0, 0.8 * self.rules.range)
        return 0.0, 0.75 * self.rules.reach

    def has_held(self, agent: int, now: float, within: float = 1.0) -> bool:
        """Did it hold a shot a moment ago because a colleague was in the line?"""
        when, how = self.ended.get(agent, (-math.inf, ""))
        return how == "held" and now - when <= within


def clear_shot(sight: SightArrays, bodies: BodyArrays, shooter: int, target: int, place: Any = None) -> bool:
    """Is no wall, cover or shut door between the eyes of one, where it is or at `place`, and the chest of another?"""
    x, y, z = bodies.xyz[shooter].tolist() if place is None else (float(part) for part in place)
    at_x, at_y, at_z = bodies.xyz[target].tolist()
    eye, chest = STANCES[bodies.stance[shooter]].eye, STANCES[bodies.stance[target]].chest
    return bool(is_clear(sight, x, y, z + eye, at_x, at_y, at_z + chest))


def friend_in_line(bodies: BodyArrays, shooter: int, target: int, place: Any = None) -> int:
    """Who of the shooter's team stands in the line of a shot? The nearest; -1: nobody.

    The shot comes from where the shooter is, or from `place`, xyz.

    Somebody stands in it whose middle, seen from above, is within the body's radius of the line between the two, and
    whose body is as high as the line there.
    """
    start = bodies.xyz[shooter] if place is None else np.asarray(place, np.float64)
    return int(first_in_line(start, bodies.xyz, bodies.radius, bodies.team, bodies.mode, shooter, target, _HEIGHT))
