"""Hearing: which agents hear which sounds, from how far, how loud and from which direction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from ....cells.layout import AnyLayout
from ....cells.query import cells_at, nearest_cells
from ....checks import finite_number, instance_of, points_xyz, read_only, real_array
from ....compilation.preparation import prepare
from ....conventions import Array, Bools, Floats, Ids
from ....errors import InputError
from ....kernels.arrays.agent_arrays import BodyArrays
from ....kernels.arrays.level_arrays import SightArrays
from ....kernels.senses.hearing_pairs import SoundArrays, cast_to_sounds, judge_sounds, pair_sounds
from ....kernels.senses.hearing_path import hear_along_cells
from ....layers.spread import Spread
from ....level.sight.sight import Sight
from ...bodies.bodies import STANCES, bodies_of
from ..arguments import cloud_rows, sight_of, things_of, truths_of
from ..vision.sightings import agent_ids
from .sounds import Sound, places_of

HEAR = ("senses.hearing_pairs.pair_sounds", "senses.hearing_pairs.judge_sounds", "senses.hearing_pairs.cast_to_sounds")
"""Kernels that every model calls."""
_ALONG_CELLS = (
    "cells.cell_access.cells_of_points",
    "cells.nearby_cells.nearest_cells_of_points",
    "senses.hearing_path.hear_along_cells",
)
LISTENERS = {"hunter": 1.0, "infected": 6.0, "asleep": 0.2, "unaware": 0.6, "aware": 1.0}
"""Factors on hearing, to be multiplied: by kind of listener (chapter 33: the infected hear about six times as well) and
by what it does (worse when unaware, much worse asleep; these two values are ours)."""
_SOURCE_HEIGHT = np.array([0.0, 0.0, 0.3])
"""Offset in metres from the floor to the point that rays to a sound aim at."""
_EAR_HEIGHT = np.array([stance.eye for stance in STANCES])


@dataclass(frozen=True)
class Fairness:
    """Reduced hearing of listeners that the player cannot see, if they are far enough away for that to be plausible.

    Beyond `plausible` metres, such a listener hears sounds with `SoundKind.fair` at `factor` 0 … 1 of their radius.
    """

    factor: float = 0.5
    plausible: float = 12.0

    def __post_init__(self) -> None:
        finite_number(self.factor, "factor", low=0.0, high=1.0)
        finite_number(self.plausible, "plausible", unit="m", low=0.0, high=1e6)


FAIR = Fairness()
"""Half the radius beyond 12 m for listeners off screen; the distance is ours."""


@dataclass(frozen=True, eq=False)
class Ears:
    """How well listeners hear: one value for all, or one each.

    Attributes
    ----------
    sensitivity : factor on every radius, at least 0: kind of listener times what it does; see `LISTENERS`.
    offscreen : bool, whether the player does not see the listener.
    clouds : (k, 4) x, y, z, radius in metres of smoke in which nothing is heard.
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
"""Ordinary human hearing."""


@dataclass(frozen=True, eq=False)
class Heard:
    """Which listeners heard which sounds: row s is `sounds[s]`, column i is `listeners[i]`.

    Attributes
    ----------
    heard : (s, n) bool.
    metres : (s, n) float32, length of the sound's path; infinite if there is none.
    loudness : (s, n) float32, from 1 at the source to 0 at the end of its reach; 0 if it is not heard.
    direction_xy : (s, n, 2) float32, unit vector towards where it seems to come from: a door on its path, not a wall.
    """

    sounds: tuple[Sound, ...]
    listeners: Ids
    heard: Bools
    metres: Array
    loudness: Array
    direction_xy: Array

    def faint(self, below: float = 0.25) -> Bools:
        """Return which sounds are heard at a loudness less than `below`, (s, n) bool, for restlessness before alarm."""
        return read_only(self.heard & (self.loudness < below))

    def foremost(self) -> Ids:
        """Return the most important sound of each listener, (n,) int32: highest priority, then loudest; -1: none."""
        if not self.sounds:
            return np.full(len(self.listeners), -1, np.int32)
        rank = np.array([[sound.priority] for sound in self.sounds]) + np.minimum(self.loudness, 0.999)
        best = np.where(self.heard, rank, -1.0).argmax(axis=0)
        return np.where(self.heard.any(axis=0), best, -1).astype(np.int32)


class HearingCase(NamedTuple):
    """All pairs of sounds and listeners.

    `ears` (n, 3) are the listeners' feet, `reach` and `away` (s, n) the radius of a sound and its straight-line
    distance in metres, `towards` (s, n, 2) the unit vector straight towards it.
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
        ears = instance_of(ears, Ears, "ears", "give Ears(sensitivity, …)")
        bodies = bodies_of(bodies)
        rows = agent_ids(listeners, "listeners", len(bodies.xyz))
        makers = [sound.made_by for sound in sounds]
        arrays = SoundArrays(
            xyz=places_of(sounds),
            radius=np.array([sound.radius for sound in sounds], np.float64),
            maker=np.array(makers, np.int32),
            among_friends=np.array([sound.among_friends for sound in sounds], np.bool_),
            fair=np.array([sound.fair for sound in sounds], np.bool_),
        )
        if max(makers, default=-1) >= len(bodies.xyz):
            raise InputError(f"a sound is made by body {max(makers)}; there are {len(bodies.xyz)}, from 0")
        size = (len(arrays.xyz), len(rows))
        places = bodies.xyz[rows]
        reach, away, towards = np.empty(size), np.empty(size), np.empty((*size, 2))
        pair_sounds(arrays, places, _each(ears.sensitivity, len(rows), "sensitivity"), reach, away, towards)
        return cls(sounds, arrays, bodies, rows, ears, places, reach, away, towards)

    def open_share(self, sight: SightArrays, aside: float) -> Floats:
        """Return the fraction 0 … 1 of each source in the open for each ear, (s, n); NaN for pairs out of reach."""
        share = np.full(self.reach.shape, np.nan)
        within = self.away <= self.reach
        if not np.count_nonzero(within):  # a quarter of the time of any()
            return share
        heads = self.ears.copy()
        heads[:, 2] += _EAR_HEIGHT[self.bodies.stance[self.listeners]]
        cast_to_sounds(sight, self.xyz + _SOURCE_HEIGHT, heads, within, aside, share)
        return share

    @property
    def xyz(self) -> Floats:
        """Positions of the sounds, (s, 3) metres."""
        return self.arrays.xyz

    def heard(self, metres: Floats, direction: Floats, fairness: Fairness) -> Heard:
        """Return what is heard, given path lengths (s, n) and directions (s, n, 2)."""
        heard, loudness = np.zeros(metres.shape, np.bool_), np.zeros(metres.shape, np.float32)
        offscreen = _each(self.manner.offscreen, len(self.listeners), "offscreen")
        if np.count_nonzero(metres <= self.reach):
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
        for number, one in enumerate(self.sounds):
            if one.known_to >= 0:
                heard[number, self.listeners == one.known_to] = False
        columns = heard, metres.astype(np.float32), loudness, direction.astype(np.float32)
        return Heard(self.sounds, self.listeners, *map(read_only, columns))


def _each(values: Array, count: int, name: str) -> Array:
    """Return one value for each listener."""
    if values.shape not in ((), (count,)):
        raise InputError(f"{name} has shape {values.shape}; give one value, or one for each of {count} listeners")
    return np.full(count, values)


class HearingModel(Protocol):
    """Interface of hearing models."""

    def listen(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        listeners: Any,
        ears: Ears = ...,
        *,
        sight: Sight | SightArrays | None = None,
    ) -> Heard:
        """Return which of `listeners` (rows of the table of bodies) hear which of `sounds`."""
        ...


class MeasuredHearing(ABC):
    """A hearing model given by how it measures the paths of sounds."""

    fairness: Fairness

    def listen(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        listeners: Any,
        ears: Ears = ORDINARY,
        *,
        sight: Sight | SightArrays | None = None,
    ) -> Heard:
        """Return which of `listeners` (rows of the table of bodies) hear which of `sounds`."""
        case = HearingCase.of(sounds, bodies, listeners, ears)
        blocked = None if sight is None else sight_of(sight)
        return case.heard(*self._paths(case, blocked), self.fairness)

    @abstractmethod
    def _paths(self, case: HearingCase, sight: SightArrays | None) -> tuple[Floats, Floats]:
        """Return path lengths (s, n) in metres, infinite if there is none, and directions (s, n, 2)."""

    def _check_fairness(self) -> None:
        instance_of(self.fairness, Fairness, "fairness", "give Fairness(factor, plausible)")


@dataclass(frozen=True, eq=False)
class PathHearing(MeasuredHearing):
    """Sounds travel along walkable cells, through open doors and around corners (chapter 28).

    If `sight` is given, they also travel straight where there is a line of sight, such as through windows.

    Parameters
    ----------
    layout : cells, or the live layout whose doors open and close.
    fairness : see `Fairness`.
    look : distance in metres along the path at which its direction is taken.

    Notes
    -----
    The source sums distances between chokes of an area graph, chosen greedily. The path along cells is the shortest
    one instead, up to a cell and the 8 % by which steps between cells exceed a straight line.
    """

    layout: AnyLayout
    fairness: Fairness = FAIR
    look: float = 3.0
    _spread: Spread = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._check_fairness()
        finite_number(self.look, "look", unit="m", low=0.0, high=1e6)
        object.__setattr__(self, "_spread", Spread(self.layout))
        prepare(*HEAR, *_ALONG_CELLS, cells=len(self.layout.arrays.cell_grid))

    def _paths(self, case: HearingCase, sight: SightArrays | None) -> tuple[Floats, Floats]:
        metres, direction = self._along_cells(case.xyz, case.ears, case.reach, case.away)
        if sight is not None:
            straight = case.open_share(sight, 0.0) > 0.0
            metres[straight] = case.away[straight]
            direction[straight] = case.towards[straight]
        return metres, direction

    def distances(self, points: Any, ears_xyz: Any, reach: float) -> Floats:
        """Return how far sound travels from each point (s, 3) to each ear (n, 3): (s, n) metres, infinite > `reach`."""
        points, listening = points_xyz(points, "points"), points_xyz(ears_xyz, "ears_xyz")
        reaches = np.full((len(points), len(listening)), finite_number(reach, "reach", unit="m", low=0.0, high=1e6))
        away = np.sqrt(((points[:, None] - listening[None]) ** 2).sum(axis=2))
        metres = self._along_cells(points, listening, reaches, away)[0]
        metres[metres > reaches] = np.inf
        return metres

    def _along_cells(self, points: Floats, listening: Floats, reach: Floats, away: Floats) -> tuple[Floats, Floats]:
        """Return path lengths (s, n) and directions (s, n, 2), with one spread per point that could be heard."""
        metres = np.full(reach.shape, np.inf)
        direction = np.zeros((*reach.shape, 2))
        if not np.count_nonzero(away <= reach):
            return metres, direction
        with self._spread.lend() as (links, work):
            hear_along_cells(
                self.layout.arrays,
                links,
                work,
                _cells_of(self.layout, points),
                points,
                _cells_of(self.layout, listening),
                listening,
                reach,
                away,
                self.look,
                metres,
                direction,
            )
        return metres, direction


def _cells_of(layout: AnyLayout, points: Floats) -> Ids:
    """Return the cell at each point, or the nearest within 2 m, such as for a listener in a door frame."""
    found = cells_at(layout, points)
    lost = np.flatnonzero(found < 0)
    if len(lost):
        found = found.copy()
        found[lost] = nearest_cells(layout, points[lost], 2.0)
    return read_only(found)


@dataclass(frozen=True, eq=False)
class RadiusHearing(MeasuredHearing):
    """All listeners within the radius hear a sound unless walls hide its source completely (chapter 33).

    Without `sight`, nothing hides a source.

    Parameters
    ----------
    fairness : see `Fairness`.
    aside : metres to the sides and above the source at which further rays aim; one free ray is enough.
    muffle : 0 … 100, factor by which hidden sounds seem further away, in proportion to the hidden fraction; ours.
    """

    fairness: Fairness = FAIR
    aside: float = 0.5
    muffle: float = 0.0

    def __post_init__(self) -> None:
        self._check_fairness()
        finite_number(self.aside, "aside", unit="m", low=0.0, high=10.0)
        finite_number(self.muffle, "muffle", low=0.0, high=100.0)
        prepare(*HEAR)

    def _paths(self, case: HearingCase, sight: SightArrays | None) -> tuple[Floats, Floats]:
        metres = case.away
        if sight is not None:
            share = case.open_share(sight, self.aside)
            metres = np.where(share > 0.0, metres * (1.0 + self.muffle * (1.0 - share)), np.inf)
        return metres, case.towards
