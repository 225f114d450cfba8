"""Combat: the weapons, health and attacks of agents, in scenarios with `combat`."""

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
"""Height in metres above the feet up to which a body blocks a shot."""


class CombatRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Settings of fights; all values are ours.

    Attributes
    ----------
    friendly_fire : whether agents shoot although a colleague is in the line of fire, and hit it; else they hold fire.
    reach, range : maximum distance in metres of strikes and shots.
    strike_seconds, shot_seconds : time from the beginning of an attack to the hit, in which it can be seen coming.
    strike_rest, shot_rest : seconds after an attack before the same agent may attack again.
    strike_damage, shot_damage : health that a hit costs.
    near_chance, far_chance : probability of a hit at distance 0 and at the full range.
    blast_radius, blast_seconds, blast_rest, blast_damage : of charges that agents with a gun may throw as far as they
        shoot: metres within which they hurt, seconds until they go off, seconds before the next attack, health.
    danger_radius, danger_seconds : size in metres of the region around a comrade that was shot or went down, and for
        how long those that saw it refuse to enter; 0 s: they do not mind.
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
    blast_radius: Metres = 3.0
    blast_seconds: Seconds = 1.2
    blast_rest: Seconds = 6.0
    blast_damage: Points = 40.0
    danger_radius: Metres = 2.5
    danger_seconds: Seconds = 10.0


@dataclass(frozen=True)
class PendingAttack:
    """An attack under way: its kind, its target, and the time in seconds at which it lands."""

    kind: Literal["strike", "shoot"]
    target: int
    due: float


@dataclass
class Combat:
    """The fights of a world. Written by the simulation when it carries out acts, read by minds.

    Attributes
    ----------
    attack : by agent, its weapon.
    health, most_health : (n,) float64; at 0 an agent goes down.
    ready : (n,) float64, time in seconds from which each agent may begin an attack.
    blows : attacks under way, by attacker.
    ended : by attacker, the time at which its last attack ended, and how: "hit", "missed", "held".
    hurt : by agent, the time at which it was last hit, and the attacker.
    beaten : agents that went down and are no longer searched for.
    charges : those thrown and not gone off yet: time in seconds, thrower, place.
    crossed : by shooter and colleague, the time at which the colleague was last in the line of fire.
    """

    rules: CombatRules
    attack: tuple[AttackKind, ...]
    health: Floats
    most_health: Floats
    ready: Floats
    draw: np.random.Generator
    blows: dict[int, PendingAttack] = field(default_factory=dict)
    ended: dict[int, tuple[float, str]] = field(default_factory=dict)
    hurt: dict[int, tuple[float, int]] = field(default_factory=dict)
    beaten: set[int] = field(default_factory=set)
    charges: list[tuple[float, int, tuple[float, float, float]]] = field(default_factory=list)
    crossed: dict[tuple[int, int], float] = field(default_factory=dict)

    def is_attacking(self, agent: int) -> bool:
        """Return whether an agent has an attack under way."""
        return agent in self.blows

    def waits(self, agent: int, now: float) -> float:
        """Return the seconds until an agent may begin an attack; 0 if it may now."""
        return max(0.0, float(self.ready[agent]) - now)

    def distance(self, agent: int) -> tuple[float, float]:
        """Return the minimum and maximum distance in metres at which an agent fights best with its weapon."""
        if self.attack[agent] == "ranged":
            return min(5.0, 0.5 * self.rules.range), min(9.0, 0.8 * self.rules.range)
        return 0.0, 0.75 * self.rules.reach

    def has_held(self, agent: int, now: float, within: float = 1.0) -> bool:
        """Return whether an agent held a shot in the last `within` seconds because a colleague was in the line."""
        when, how = self.ended.get(agent, (-math.inf, ""))
        return how == "held" and now - when <= within


def clear_shot(sight: SightArrays, bodies: BodyArrays, shooter: int, target: int, place: Any = None) -> bool:
    """Return whether no wall, cover or shut door is between a shooter's eyes, here or at `place`, and a chest."""
    x, y, z = bodies.xyz[shooter].tolist() if place is None else (float(part) for part in place)
    at_x, at_y, at_z = bodies.xyz[target].tolist()
    eye, chest = STANCES[bodies.stance[shooter]].eye, STANCES[bodies.stance[target]].chest
    return bool(is_clear(sight, x, y, z + eye, at_x, at_y, at_z + chest))


def friend_in_line(bodies: BodyArrays, shooter: int, target: int, place: Any = None) -> int:
    """Return the nearest member of the shooter's team in the line of a shot from its own or another place; -1 if none.

    A body is in the line if, seen from above, its centre is within its radius of the line between the two, and it is
    as high as the line there.
    """
    start = bodies.xyz[shooter] if place is None else np.asarray(place, np.float64)
    return int(first_in_line(start, bodies.xyz, bodies.radius, bodies.team, bodies.mode, shooter, target, _HEIGHT))
