"""Hearing: who hears what, from how far, how loud and from which side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ...cells.layout import AnyLayout
from ...cells.query import cells_at, nearest_cells
from ...checks import finite_number, frozen, points_xyz, read_only, real_array
from ...conventions import Array, Bools, Floats, Ids
from ...errors import InputError
from ...kernels.body_arrays import ACTIVE, BodyArrays
from ...kernels.hearing_path import hear_along_cells
from ...kernels.hearing_rays import cast_to_sounds
from ...kernels.sight_arrays import SightArrays
from ...layers.spread import Spread
from ..bodies import STANCES
from .sightings import agent_ids
from .sounds import Sound

__all__ = ["LISTENERS", "ORDINARY", "Ears", "Fairness", "Heard", "HearingModel", "PathHearing", "RadiusHearing"]

LISTENERS = {"hunter": 1.0, "infected": 6.0, "asleep": 0.2, "unaware": 0.6, "aware": 1.0}
"""Factors of hearing to multiply: of kinds of listeners (chapter 33: the infected hear about six times as well) and of
what they are doing (less when unaware, much less asleep; those two numbers are ours)."""

_ABOVE = 0.3
"""Metres above the floor at which sounds made on the floor are looked for."""


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
        clouds = np.reshape(real_array(self.clouds, "clouds", "(k, 4) x, y, z, radius"), (-1, 4))
        object.__setattr__(self, "clouds", frozen(clouds))


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

    def foremost(self) -> Ids:
        """Which sound matters most to each listener? (n,) int32: highest priority, then loudest; -1: heard none."""
        if not self.sounds:
            return np.full(len(self.listeners), -1, np.int32)
        rank = np.array([[sound.priority] for sound in self.sounds]) + np.minimum(self.loudness, 0.999)
        best = np.where(self.heard, rank, -1.0).argmax(axis=0)
        return np.where(self.heard.any(axis=0), best, -1).astype(np.int32)


class HearingModel(Protocol):
    """Anything that can say who hears what."""

    def listen(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        listeners: Any,
        ears: Ears = ...,
        *,
        sight: SightArrays | None = None,
    ) -> Heard:
        """Who of `listeners` (rows of the table of bodies) hears which of `sounds`?"""
        ...


@dataclass(frozen=True, eq=False)
class PathHearing:
    """Sounds come along the walkable cells, through open doors and round corners (chapter 28).

    With `sight` given, sounds also come straight where one can see, through windows for example.

    Parameters
    ----------
    layout : cells, or the live layout whose doors open and close.
    fairness : see `Fairness`.
    look : metres along the way after which its direction is taken.

    Notes
    -----
    The source sums distances between the chokes of an area graph, chosen greedily; the walk along cells is the
    shortest instead, to within a cell and the 8 % by which steps between cells exceed a straight line.
    """

    layout: AnyLayout
    fairness: Fairness = Fairness()
    look: float = 3.0
    _spread: Spread = field(init=False, repr=False)
    _distance: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_spread", Spread(self.layout))
        object.__setattr__(self, "_distance", np.full(len(self.layout.arrays.cell_grid), np.inf))

    def listen(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        listeners: Any,
        ears: Ears = ORDINARY,
        *,
        sight: SightArrays | None = None,
    ) -> Heard:
        """Who of `listeners` (rows of the table of bodies) hears which of `sounds`?"""
        who = agent_ids(listeners, "listeners", len(bodies.xyz))
        case = _Case.of(sounds, bodies, who, ears)
        metres, direction = self._metres(case.xyz, bodies.xyz[who], case.reach)
        if sight is not None:
            _, open_share = _rays(case, bodies, who, sight, 0.0)
            straight = open_share > 0.0
            away = case.away
            metres = np.where(straight, np.minimum(metres, away), metres)
            direction = np.where(straight[:, :, None], case.towards, direction)
        return case.heard(sounds, bodies, who, ears, self.fairness, metres, direction)

    def distances(self, points: Any, ears_xyz: Any, reach: float) -> Floats:
        """How far does sound come from each point (s, 3) to each ear (n, 3)? (s, n) metres, infinite beyond `reach`."""
        points, listening = points_xyz(points, "points"), points_xyz(ears_xyz, "ears_xyz")
        reaches = np.full((len(points), len(listening)), finite_number(reach, "reach", unit="m", low=0.0, high=1e6))
        metres = self._metres(points, listening, reaches)[0]
        metres[metres > reaches] = np.inf
        return metres

    def _metres(self, points: Floats, listening: Floats, reach: Floats) -> tuple[Floats, Floats]:
        """Return metres (s, n) and directions (s, n, 2); one spread for each point that anybody could hear."""
        metres = np.full(reach.shape, np.inf)
        direction = np.zeros((*reach.shape, 2))
        cells, sources = self.layout.arrays, _cells_of(self.layout, points)
        away = points[:, None] - listening[None]
        in_reach = (away * away).sum(axis=2) <= reach * reach
        ear_cell = _cells_of(self.layout, listening)
        for number in np.flatnonzero(in_reach.any(axis=1) & (sources >= 0)):
            furthest = reach[number][in_reach[number]].max()
            reached = self._spread.distances([int(sources[number])], reach=float(furthest))
            hear_along_cells(
                cells,
                reached.cells,
                reached.metres,
                self._distance,
                points[number],
                ear_cell,
                listening,
                self.look,
                metres[number],
                direction[number],
            )
        return metres, direction


@dataclass(frozen=True, eq=False)
class RadiusHearing:
    """Everybody within the radius hears it, unless walls hide the source completely (chapter 33).

    Parameters
    ----------
    fairness : see `Fairness`.
    aside : metres beside and above the source to which more rays go: one that passes is enough.
    muffle : 0 …, how much further away a sound seems for each share of it that is hidden; the source leaves it open.
    """

    fairness: Fairness = Fairness()
    aside: float = 0.5
    muffle: float = 0.0

    def __post_init__(self) -> None:
        finite_number(self.aside, "aside", unit="m", low=0.0, high=10.0)
        finite_number(self.muffle, "muffle", low=0.0, high=100.0)

    def listen(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        listeners: Any,
        ears: Ears = ORDINARY,
        *,
        sight: SightArrays | None = None,
    ) -> Heard:
        """Who of `listeners` (rows of the table of bodies) hears which of `sounds`? Without `sight` nothing hides."""
        who = agent_ids(listeners, "listeners", len(bodies.xyz))
        case = _Case.of(sounds, bodies, who, ears)
        metres = case.away
        if sight is not None:
            cast, open_share = _rays(case, bodies, who, sight, self.aside)
            hidden = cast & (open_share == 0.0)
            metres = np.where(hidden, np.inf, metres * (1.0 + self.muffle * (1.0 - open_share)))
        return case.heard(sounds, bodies, who, ears, self.fairness, metres, case.towards)


@dataclass(frozen=True, eq=False)
class _Case:
    """Sounds against listeners: places (s, 3), reach, straight distance and direction of every pair."""

    xyz: Floats
    reach: Floats
    away: Floats
    towards: Floats

    @classmethod
    def of(cls, sounds: Sequence[Sound], bodies: BodyArrays, who: Ids, ears: Ears) -> _Case:
        if ears.sensitivity.shape not in ((), (len(who),)):
            raise InputError(
                f"sensitivity has shape {ears.sensitivity.shape}; give one number, or one for each of {len(who)}"
            )
        xyz = np.array([sound.xyz for sound in sounds]).reshape(-1, 3)
        radius = np.array([sound.radius for sound in sounds]).reshape(-1, 1)
        reach = radius * np.broadcast_to(ears.sensitivity, (1, len(who)))
        away = xyz[:, None] - bodies.xyz[who][None]
        flat = np.hypot(away[:, :, 0], away[:, :, 1])
        towards = away[:, :, :2] / np.maximum(flat, 1e-12)[:, :, None]
        return cls(xyz, reach, np.hypot(flat, away[:, :, 2]), towards)

    def heard(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        who: Ids,
        ears: Ears,
        fairness: Fairness,
        metres: Floats,
        direction: Floats,
    ) -> Heard:
        fair = np.array([sound.fair for sound in sounds], bool).reshape(-1, 1)
        unseen = np.broadcast_to(np.asarray(ears.offscreen, bool), (1, len(who)))
        reach = np.where(fair & unseen & (metres > fairness.plausible), fairness.factor * self.reach, self.reach)
        heard = (metres <= reach) & ~_deaf(bodies, who, ears.clouds) & ~_unminded(sounds, bodies, who)
        loudness = (
            np.where(heard, 1.0 - metres / np.maximum(reach, 1e-12), 0.0) if heard.any() else np.zeros(heard.shape)
        )
        return Heard(
            tuple(sounds),
            who,
            read_only(heard),
            read_only(metres.astype(np.float32)),
            read_only(loudness.astype(np.float32)),
            read_only(direction.astype(np.float32)),
        )


def _rays(case: _Case, bodies: BodyArrays, who: Ids, sight: SightArrays, aside: float) -> tuple[Bools, Floats]:
    """Return which pairs rays were cast for, those within reach, and the share of them that passed."""
    share = np.zeros(case.reach.shape)
    ears_xyz = bodies.xyz[who]
    ears_xyz[:, 2] += np.array([stance.eye for stance in STANCES])[bodies.stance[who]]
    sources = case.xyz + np.array([0.0, 0.0, _ABOVE])
    in_reach = case.away <= case.reach
    cast_to_sounds(sight, sources, ears_xyz, in_reach, aside, share)
    return in_reach, share


def _deaf(bodies: BodyArrays, who: Ids, clouds: Floats) -> Bools:
    """Return who does not hear anything: (n,) bool, in a cloud or no longer acting."""
    away = bodies.xyz[who][:, None] - clouds[None, :, :3]
    return ((away * away).sum(axis=2) <= clouds[:, 3] ** 2).any(axis=1) | (bodies.mode[who] != ACTIVE)


def _unminded(sounds: Sequence[Sound], bodies: BodyArrays, who: Ids) -> Bools:
    """Return (s, n) bool: own sounds, and everyday ones of friends."""
    maker = np.array([sound.made_by for sound in sounds], np.int64).reshape(-1, 1)
    loud = np.array([sound.among_friends for sound in sounds], bool).reshape(-1, 1)
    friends = (bodies.team[maker] == bodies.team[who]) & (maker >= 0) & ~loud
    return friends | (maker == who)


def _cells_of(layout: AnyLayout, points: Floats) -> Ids:
    """Return the cell under each point, or near it: who stands in a door frame or on a rim hears too."""
    found = cells_at(layout, points)
    lost = np.flatnonzero(found < 0)
    if len(lost):
        found = found.copy()
        found[lost] = nearest_cells(layout, points[lost], 2.0)
    return found
