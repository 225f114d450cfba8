"""What all models of hearing share: sounds against listeners, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ....checks import finite_number, read_only, real_array, shown, thing_of
from ....conventions import Array, Bools, Floats, Ids
from ....errors import InputError
from ....kernels.arrays.agent_arrays import BodyArrays
from ....kernels.arrays.level_arrays import SightArrays
from ....kernels.senses.hearing_pairs import SoundArrays, cast_to_sounds, judge_sounds, pair_sounds
from ...bodies.bodies import STANCES, bodies_of
from ..arguments import cloud_rows, sight_of, things_of, truths_of
from ..vision.sightings import agent_ids
from .sounds import Sound

HEAR = ("senses.hearing_pairs.pair_sounds", "senses.hearing_pairs.judge_sounds", "senses.hearing_pairs.cast_to_sounds")
"""Kernels that every model calls."""
LISTENERS = {"hunter": 1.0, "infected": 6.0, "asleep": 0.2, "unaware": 0.6, "aware": 1.0}
"""Factors of hearing to multiply: of kinds of listeners (chapter 33: the infected hear about six times as well) and of
what they are doing (less when unaware, much less asleep; those two numbers are ours)."""


@dataclass(frozen=True)
class Fairness:
    """Listeners the player does not see, and who are far enough for that to be plausible, hear some sounds worse.

    `factor` 0 … 1 of the radius; `plausible` metres beyond which it holds. See `SoundKind.fair`.
    """

    factor: float = 0.5
    plausible: float = 12.0

    def __post_init__(self) -> None:
        finite_number(self.factor, "factor", low=0.0, high=1.0)
        finite_number(self.plausible, "plausible", unit="m", low=0.0, high=1e6)


def fairness_of(value: Any) -> Fairness:
    """Return a fairness, else say how to come by one."""
    return thing_of(value, Fairness, "fairness", "give Fairness(factor, plausible)")


FAIR = Fairness()
"""Half as well beyond 12 m, unseen; the distance is ours."""


@dataclass(frozen=True, eq=False)
class Ears:
    """How well listeners hear: one value for all, or one each.

    Attributes
    ----------
    sensitivity : factor of every radius, at least 0: kind of listener times what it does; see `LISTENERS`.
    offscreen : bool, the player does not see this listener.
    clouds : (k, 4) x, y, z, radius in metres of smoke in which nobody hears anything.
    """

    sensitivity: Any = 1.0
    offscreen: Any = False
    clouds: Any = ()

    def __post_init__(self) -> None:
        keen = real_array(self.sensitivity, "sensitivity", "one number, or one for each listener").copy()
        if not (np.isfinite(keen).all() and (keen >= 0.0).all()):
            raise InputError("sensitivity must be at least 0 and finite; 1 is ordinary hearing")
        object.__setattr__(self, "sensitivity", read_only(keen))
        object.__setattr__(self, "clouds", cloud_rows(self.clouds))
        object.__setattr__(self, "offscreen", truths_of(self.offscreen, "offscreen"))


ORDINARY = Ears()
"""Everybody hears as people do."""


@dataclass(frozen=True, eq=False)
class Heard:
    """Who heard what: row s is `sounds[s]`, column i is `listeners[i]`.

    Attributes
    ----------
    heard : (s, n) bool.
    metres : (s, n) float32, how far the sound came; infinite where it does not come.
    loudness : (s, n) float32, 1 at the source … 0 at the end of its reach and where it is not heard.
    direction_xy : (s, n, 2) float32, unit, where it seems to come from: along a path the door, not the wall.
    """

    sounds: tuple[Sound, ...]
    listeners: Ids
    heard: Bools
    metres: Array
    loudness: Array
    direction_xy: Array

    def faint(self, below: float = 0.25) -> Bools:
        """What is heard only just? (s, n) bool: quieter than `below`; time to become restless before a discovery."""
        return read_only(self.heard & (self.loudness < below))

    def foremost(self) -> Ids:
        """Which sound matters most to each listener? (n,) int32: highest priority, then loudest; -1: heard none."""
        if not self.sounds:
            return np.full(len(self.listeners), -1, np.int32)
        rank = np.array([[sound.priority] for sound in self.sounds]) + np.minimum(self.loudness, 0.999)
        best = np.where(self.heard, rank, -1.0).argmax(axis=0)
        return np.where(self.heard.any(axis=0), best, -1).astype(np.int32)


class HearingCase(NamedTuple):
    """Sounds against listeners.

    `xyz` (s, 3) where sounds are made, `ears` (n, 3) the listeners' feet, `reach`, `away` (s, n) metres a sound may
    come and is away in a straight line, `towards` (s, n, 2) unit, the straight direction to it.
    """

    sounds: tuple[Sound, ...]
    arrays: SoundArrays
    bodies: BodyArrays
    listeners: Ids
    manner: Ears
    ears: Floats
    reach: Floats
    away: Floats
    towards: Floats

    @classmethod
    def of(cls, sounds: Sequence[Sound], bodies: BodyArrays, listeners: Any, ears: Ears) -> HearingCase:
        """Measure all pairs."""
        sounds = things_of(sounds, Sound, "sounds")
        if not isinstance(ears, Ears):
            raise InputError(f"ears is {shown(ears)}; give Ears(sensitivity, …)")
        bodies = bodies_of(bodies)
        who = agent_ids(listeners, "listeners", len(bodies.xyz))
        arrays = SoundArrays(
            xyz=np.array([sound.xyz for sound in sounds]).reshape(-1, 3),
            radius=np.array([sound.radius for sound in sounds], np.float64),
            maker=np.array([sound.made_by for sound in sounds], np.int32),
            among_friends=np.array([sound.among_friends for sound in sounds], np.bool_),
            fair=np.array([sound.fair for sound in sounds], np.bool_),
        )
        if len(sounds) and not -1 <= int(arrays.maker.min()) <= int(arrays.maker.max()) < len(bodies.xyz):
            raise InputError(f"a sound is made by body {arrays.maker.max()}; there are {len(bodies.xyz)}, from 0")
        size = (len(arrays.xyz), len(who))
        places = bodies.xyz[who]
        reach, away, towards = np.empty(size), np.empty(size), np.empty((*size, 2))
        pair_sounds(arrays, places, _each(ears.sensitivity, len(who), "sensitivity"), reach, away, towards)
        return cls(sounds, arrays, bodies, who, ears, places, reach, away, towards)

    def open_share(self, sight: SightArrays, aside: float) -> Floats:
        """How much of each source lies open to each ear? (s, n) 0 … 1; NaN for pairs out of reach: no ray was cast."""
        sight, share = sight_of(sight), np.full(self.reach.shape, np.nan)
        within = self.away <= self.reach
        if not within.any():
            return share
        heads = self.ears.copy()
        heads[:, 2] += _EAR[self.bodies.stance[self.listeners]]
        cast_to_sounds(sight, self.xyz + _ABOVE, heads, within, aside, share)
        return share

    @property
    def xyz(self) -> Floats:
        """Where sounds are made, (s, 3) metres."""
        return self.arrays.xyz

    def heard(self, metres: Floats, direction: Floats, fairness: Fairness) -> Heard:
        """Who hears what, given how far each sound came (s, n) and from which side (s, n, 2)?"""
        heard, loudness = np.zeros(metres.shape, np.bool_), np.zeros(metres.shape, np.float32)
        offscreen = _each(self.manner.offscreen, len(self.listeners), "offscreen")
        if (metres <= self.reach).any():
            judge_sounds(
                self.bodies,
                self.listeners,
                self.arrays,
                self.manner.clouds,
                offscreen,
                fairness.factor,
                fairness.plausible,
                self.reach,
                metres,
                heard,
                loudness,
            )
        columns = heard, metres.astype(np.float32), loudness, direction.astype(np.float32)
        return Heard(self.sounds, self.listeners, *map(read_only, columns))


def _each(values: Array, count: int, name: str) -> Array:
    """Return one value for each listener."""
    if values.shape not in ((), (count,)):
        raise InputError(f"{name} has shape {values.shape}; give one value, or one for each of {count} listeners")
    return np.full(count, values)


_ABOVE = np.array([0.0, 0.0, 0.3])
"""Metres above the floor at which sounds made on the floor are looked for."""

_EAR = np.array([stance.eye for stance in STANCES])
