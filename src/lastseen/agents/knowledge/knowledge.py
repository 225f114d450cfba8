"""Knowledge: what every observer believes about every target, and its exchange within a team."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import expect, finite_number, instance_of, real_number, whole_number
from ...compilation.preparation import prepare
from ...conventions import Bools, Floats, Ids
from ...errors import InputError, QueryError
from ...kernels.arrays.agent_arrays import NOTHING, TOUCH, BodyArrays, KnowledgeArrays
from ...kernels.senses.knowledge import remember_sights, remember_sounds, share_newest
from ...reasoning.chase.loss import Loss, View
from ..bodies.bodies import bodies_of
from ..senses.arguments import named, time_of, truths_of
from ..senses.hearing.hearing import Heard
from ..senses.hearing.sounds import places_of
from ..senses.vision.sightings import Sightings, agent_ids

SOURCES = ("nothing", "sight", "sound", "told", "touch")
"""Sources of knowledge; `Knowledge.arrays.source` holds indices into this list."""

GRACES = {"frozen": 0.0, "followed": 2.5}
"""Knowledge after the loss of sight: "frozen" keeps the position of the last perception (chapter 34); "followed" tracks
the true position for 2 to 3 more seconds, then freezes it (chapter 27)."""


class Knowledge:
    """Knowledge of `observers` about `targets` (rows of the table of bodies): one record per pair, in arrays.

    Parameters
    ----------
    grace : 0 … 60, seconds for which the true position stays known after sight is lost, or a name in `GRACES`.
    fading : half-life in seconds of the certainty of unconfirmed records; 0: constant certainty. Our own addition.

    Attributes
    ----------
    arrays : the records; see `KnowledgeArrays`. Written by the methods of this class and by `share` only.
    suspects : (n,) float64, when an observer last had reason to believe that a target is near; -inf: never.

    Notes
    -----
    Targets are never extrapolated: they do not run straight on, and the position may lie in a wall (chapter 27).
    Predicting where they went is the task of a predictor; `loss` gives it the input. The certainty of a record is that
    of its own source: a faint sound after a clear sight leaves an uncertain position, but the identity stays known.
    """

    def __init__(
        self, bodies: BodyArrays, observers: Any, targets: Any, *, grace: float | str = 0.0, fading: float = 30.0
    ):
        count = len(expect(bodies, BodyArrays, "bodies").xyz)
        self.observers: Ids = agent_ids(observers, "observers", count)
        self.targets: Ids = agent_ids(targets, "targets", count)
        self.grace = _grace_seconds(grace)
        self.fading = finite_number(fading, "fading", unit="s", low=0.0, high=86_400.0)
        self._faded = -math.inf
        prepare("senses.knowledge.remember_sights", "senses.knowledge.remember_sounds", "senses.knowledge.share_newest")
        shape = (len(self.observers), len(self.targets))
        self.suspects = np.full(shape[0], -np.inf)
        self.arrays = KnowledgeArrays(
            xyz=np.zeros((*shape, 3)),
            direction_xy=np.zeros((*shape, 2)),
            speed=np.zeros(shape),
            time=np.full(shape, -np.inf),
            perceived=np.full(shape, -np.inf),
            source=np.zeros(shape, np.uint8),
            certainty=np.zeros(shape, np.float32),
            identified=np.zeros(shape, np.uint8),
            from_xyz=np.zeros((*shape, 3)),
            from_gaze=np.zeros(shape),
        )

    def remember(self, sightings: Sightings, bodies: BodyArrays, now: float) -> None:
        """Record one look: visible and noticed targets become known, targets just lost are subject to the grace."""
        sightings = instance_of(sightings, Sightings, "sightings", "give the result of `look`")
        bodies = bodies_of(bodies)
        if not _same(sightings.observers, self.observers) or not _same(sightings.targets, self.targets):
            raise QueryError("the sightings have other observers or targets than this knowledge; give matching ones")
        seen, now = sightings.visible & sightings.noticed, time_of(now)
        # Without either, no record appears, persists or fades.
        if np.count_nonzero(seen) or np.count_nonzero(self.arrays.source):
            remember_sights(
                self.arrays,
                bodies,
                self.observers,
                self.targets,
                seen,
                sightings.identified,
                sightings.certainty,
                now,
                self.grace,
                self.fading,
                self._faded,
            )
        self._faded = now

    def hear(self, heard: Heard, bodies: BodyArrays, now: float, *, infers: Any = True) -> None:
        """Record sounds: those that reveal their maker give its position, others only that a target is near.

        Parameters
        ----------
        infers : whether observers conclude from a distraction that a target is near; one bool, or (n,) bool. Others
            investigate the sound itself and learn nothing (chapter 33).
        """
        heard, now = instance_of(heard, Heard, "heard", "give the result of `listen`"), time_of(now)
        bodies = bodies_of(bodies)
        if not _same(heard.listeners, self.observers):
            raise QueryError("the listeners differ from the observers of this knowledge; give matching ones")
        infers = truths_of(infers, "infers")
        if infers.shape not in ((), self.observers.shape):
            raise InputError(f"infers has shape {infers.shape}; give one boolean, or {len(self.observers)}")
        if not np.count_nonzero(heard.heard):
            return
        infers = np.full(len(self.observers), infers)
        column = {target: j for j, target in enumerate(self.targets.tolist())}
        gives_away = [column.get(sound.made_by, -1) if sound.gives_away else -1 for sound in heard.sounds]
        remember_sounds(
            self.arrays,
            self.suspects,
            bodies,
            self.observers,
            places_of(heard.sounds),
            np.array(gives_away, np.int32),
            heard.heard,
            heard.loudness,
            infers,
            now,
        )

    def move(self, places: Iterable[tuple[int, Floats]]) -> None:
        """Correct known places of targets, by number of the pair of observer and target: there is no floor any more."""
        for pair, xyz in places:
            if self.arrays.source.flat[pair] != NOTHING:
                self.arrays.xyz.reshape(-1, 3)[pair] = xyz

    def touch(self, observer: int, target: int, bodies: BodyArrays, now: float) -> None:
        """Record that observer i ran into target j, and so knows everything about it."""
        i, j = self._pair(observer, target)
        know, body, now = self.arrays, self.targets[j], time_of(now)
        bodies = bodies_of(bodies)
        know.xyz[i, j] = bodies.xyz[body]
        velocity = bodies.velocity_xy[body]
        know.speed[i, j] = speed = math.hypot(*velocity)
        know.direction_xy[i, j] = velocity / speed if speed else 0.0
        know.time[i, j] = know.perceived[i, j] = now
        know.source[i, j], know.certainty[i, j], know.identified[i, j] = TOUCH, 1.0, 1
        know.from_xyz[i, j] = bodies.xyz[self.observers[i]]
        know.from_gaze[i, j] = bodies.gaze[self.observers[i]]

    def forget_target(self, target: int) -> None:
        """Let all observers know nothing of target j."""
        self.forget_pairs((slice(None), target))

    def forget_pairs(self, pairs: Any) -> None:
        """Let observers know nothing of targets, where `pairs` indexes (n, m) arrays, such as a mask."""
        know = self.arrays
        know.source[pairs], know.identified[pairs] = 0, 0
        know.time[pairs] = know.perceived[pairs] = -math.inf

    def end_grace(self, column: int) -> None:
        """Let no observer know where a target in a column is that it no longer sees, because it jumped elsewhere."""
        perceived = self.arrays.perceived[:, column]
        np.minimum(perceived, self.arrays.time[:, column] - self.grace, out=perceived)

    def age(self, now: float) -> Any:
        """Return the age of each record, (n, m) float64 seconds, infinite where nothing is known."""
        return time_of(now) - self.arrays.time

    def astray(self, bodies: BodyArrays, metres: float = 5.0) -> Bools:
        """Return which records are further than this many metres from the truth, (n, m) bool; False without a record.

        Notes
        -----
        This is the deliberate cheat of chapter 34: it only makes agents move out sooner and is never revealed to them.
        """
        metres = finite_number(metres, "metres", unit="m", low=0.0, high=1e9)
        away = self.arrays.xyz - expect(bodies, BodyArrays, "bodies").xyz[self.targets]
        return ((away * away).sum(axis=2) > metres * metres) & (self.arrays.source != NOTHING)

    def approach_due(self, bodies: BodyArrays, now: float, *, unseen: float = 10.0, moved: float | None = 5.0) -> Bools:
        """Return which observers should go and look, (n, m) bool.

        These have not perceived the target for `unseen` seconds, or believe it `moved` metres off its true position;
        with `moved` None, there is no cheating.
        """
        unseen = finite_number(unseen, "unseen", unit="s", low=0.0)
        due = (self.arrays.source != NOTHING) & (self.age(now) >= unseen)
        return due if moved is None else due | self.astray(bodies, moved)

    def forget(self, now: float, older: float) -> None:
        """Drop records older than this many seconds."""
        gone = self.age(now) > finite_number(older, "older", unit="s", low=0.0)
        for array, empty in zip(self.arrays, (0, 0, 0, -np.inf, -np.inf, NOTHING, 0, 0, 0, 0)):
            array[gone] = empty

    def loss(
        self, observer: int, target: int, now: float, *, view: View | None = None, running: float = 4.0
    ) -> Loss | None:
        """Return what observer i can tell a predictor about target j, or None if it knows nothing.

        Parameters
        ----------
        view : field of view, if known; its direction is that of the observer's gaze at the last perception.
        running : minimum speed assumed for the target, in m/s.
        """
        i, j = self._pair(observer, target)
        know, now = self.arrays, time_of(now)
        if know.source[i, j] == NOTHING:
            return None
        if view is not None:
            view = instance_of(view, View, "view", "give View(…), or None")
            gaze = know.from_gaze[i, j]
            view = View((math.cos(gaze), math.sin(gaze)), view.angle, view.distance)
        return Loss(
            seen_at=know.xyz[i, j],
            heading=(*know.direction_xy[i, j], 0.0),
            speed=max(float(know.speed[i, j]), running),
            seconds=max(0.0, now - float(know.time[i, j])),
            guard_at=know.from_xyz[i, j],
            guard_view=view,
        )

    def copy(self) -> Knowledge:
        """Return an independent copy."""
        other = Knowledge.__new__(Knowledge)
        other.observers, other.targets, other.grace = self.observers, self.targets, self.grace
        other.fading, other._faded = self.fading, self._faded
        other.suspects = self.suspects.copy()
        other.arrays = KnowledgeArrays(*(array.copy() for array in self.arrays))
        return other

    def _pair(self, observer: int, target: int) -> tuple[int, int]:
        i, j = whole_number(observer, "observer"), whole_number(target, "target")
        if i >= len(self.observers) or j >= len(self.targets):
            raise InputError(
                f"observer {i}, target {j} out of range; there are {len(self.observers)} and {len(self.targets)}"
            )
        return i, j


def _grace_seconds(grace: float | str) -> float:
    """Return a grace in seconds, given as a number or by its name in `GRACES`."""
    if isinstance(grace, str):
        if grace not in GRACES:
            raise InputError(f"no grace {grace!r}; give seconds or one of {', '.join(GRACES)}")
        return GRACES[grace]
    return finite_number(grace, "grace", unit="s", low=0.0, high=60.0)


@dataclass(frozen=True)
class Sharing:
    """Policy for sharing knowledge of targets within a team.

    `reach` 0: not at all; infinite: the whole team knows at once; otherwise the distance in metres within which agents
    that meet exchange knowledge, one contact per step.
    """

    name: str
    reach: float

    def __post_init__(self) -> None:
        reach = real_number(self.reach, "reach", "0 or more metres")
        if not reach >= 0.0:
            raise InputError(f"reach is {reach:g}; give 0 or more metres")
        object.__setattr__(self, "reach", reach)


SHARING = {
    "private": Sharing("private", 0.0),
    "broadcast": Sharing("broadcast", np.inf),
    "on contact": Sharing("on contact", 5.0),
}
"""Policies by name: the infected of chapter 33 share nothing, the hunters of chapter 34 broadcast; 5 m is our value."""


def _same(one: Ids, other: Ids) -> bool:
    return one is other or np.array_equal(one, other)


def sharing(name: str) -> Sharing:
    """Return the policy with this name."""
    return named(name, SHARING, "sharing policy")


def share(knowledge: Knowledge, bodies: BodyArrays, policy: Sharing) -> int:
    """Let agents of a team take over newer records of others; return the number of records passed on.

    Position and time stay those of the original perception, so that all agents informed hold the same record.
    """
    policy = instance_of(policy, Sharing, "policy", "give one of SHARING, or Sharing(name, reach)")
    expect(bodies, BodyArrays, "bodies")
    if policy.reach == 0.0 or not np.count_nonzero(expect(knowledge, Knowledge, "knowledge").arrays.source):
        return 0
    return int(share_newest(knowledge.arrays, bodies, knowledge.observers, policy.reach))
