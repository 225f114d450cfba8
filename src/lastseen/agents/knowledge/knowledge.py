"""Knowledge: what every observer believes of every target."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...checks import finite_number, thing_of, whole_number
from ...conventions import Bools, Ids
from ...errors import InputError, QueryError
from ...kernels.body_arrays import BodyArrays
from ...kernels.knowledge_arrays import NOTHING, TOUCH, KnowledgeArrays
from ...kernels.knowledge_sight import remember_sights
from ...kernels.knowledge_sounds import remember_sounds
from ...reasoning.chase.loss import Loss, View
from ..perception.arguments import time_of, truths_of
from ..perception.hearing_case import Heard
from ..perception.sightings import Sightings, agent_ids

__all__ = ["GRACES", "SOURCES", "Knowledge"]

SOURCES = ("nothing", "sight", "sound", "told", "touch")
"""Where knowledge comes from; `Knowledge.arrays.source` holds positions in this list."""

GRACES = {"frozen": 0.0, "followed": 2.5}
"""What is known after the loss of sight: "frozen": the place of the last perception (chapter 34); "followed": the true
place for 2 to 3 seconds more, then frozen (chapter 27)."""


class Knowledge:
    """What `observers` know of `targets` (rows of the table of bodies): one record a pair, in arrays.

    Parameters
    ----------
    grace : 0 … 60, seconds for which the true place stays known after sight is lost, or a name in `GRACES`.
    fading : seconds in which what is not perceived again becomes half as sure; 0: it stays as sure. Ours.

    Attributes
    ----------
    arrays : the records; see `KnowledgeArrays`. Written by the methods of this class and by `share` only.
    suspects : (n,) float64, when an observer last had reason to believe that somebody is near; -inf: never.

    Notes
    -----
    Targets are never extrapolated: they do not run straight on, and the place may lie in a wall (chapter 27). Where
    they went is for a predictor to say; `loss` gives it what it needs. The certainty of a record is that of its own
    source: a faint sound after a clear sight leaves a place one is not sure of, and who it was stays known.
    """

    def __init__(
        self, bodies: BodyArrays, observers: Any, targets: Any, *, grace: float | str = 0.0, fading: float = 30.0
    ):
        count = len(bodies.xyz)
        self.observers: Ids = agent_ids(observers, "observers", count)
        self.targets: Ids = agent_ids(targets, "targets", count)
        self.grace = _grace_seconds(grace)
        self.fading = finite_number(fading, "fading", unit="s", low=0.0, high=86_400.0)
        self._faded = -math.inf
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
        """Take in one look: what is visible and noticed becomes known, what was just lost follows the grace."""
        sightings = thing_of(sightings, Sightings, "sightings", "give what `look` returns")
        if not np.array_equal(sightings.observers, self.observers) or not np.array_equal(
            sightings.targets, self.targets
        ):
            raise QueryError(
                "these sightings are of other observers or targets; give those this knowledge was made for"
            )
        seen, now = sightings.visible & sightings.noticed, time_of(now)
        if seen.any() or self.arrays.source.any():  # else nothing comes to be known, stays known or fades
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
        """Take in what was heard: sounds that give their maker away tell its place, others that somebody is near.

        Parameters
        ----------
        infers : who concludes from a distraction that somebody is near; one answer, or (n,) bool. Who does not goes
            for the sound itself and learns nothing (chapter 33).
        """
        heard, now = thing_of(heard, Heard, "heard", "give what `listen` returns"), time_of(now)
        if not np.array_equal(heard.listeners, self.observers):
            raise QueryError("this was heard by others; give the listeners this knowledge was made for")
        infers = truths_of(infers, "infers")
        if infers.shape not in ((), self.observers.shape):
            raise InputError(f"infers has shape {infers.shape}; give one truth value, or {len(self.observers)}")
        infers = np.full(len(self.observers), infers)
        if not heard.heard.any():
            return
        column = {int(target): j for j, target in enumerate(self.targets)}
        gives_away = [column.get(sound.made_by, -1) if sound.gives_away else -1 for sound in heard.sounds]
        remember_sounds(
            self.arrays,
            self.suspects,
            bodies,
            self.observers,
            np.array([sound.xyz for sound in heard.sounds]).reshape(-1, 3),
            np.array(gives_away, np.int32),
            heard.heard,
            heard.loudness,
            infers,
            now,
        )

    def touch(self, observer: int, target: int, bodies: BodyArrays, now: float) -> None:
        """Observer number i ran into target number j: it knows all about it."""
        i, j = self._pair(observer, target)
        know, body, now = self.arrays, self.targets[j], time_of(now)
        know.xyz[i, j] = bodies.xyz[body]
        velocity = bodies.velocity_xy[body]
        know.speed[i, j] = speed = math.hypot(*velocity)
        know.direction_xy[i, j] = velocity / speed if speed else 0.0
        know.time[i, j] = know.perceived[i, j] = now
        know.source[i, j], know.certainty[i, j], know.identified[i, j] = TOUCH, 1.0, 1
        know.from_xyz[i, j] = bodies.xyz[self.observers[i]]
        know.from_gaze[i, j] = bodies.gaze[self.observers[i]]

    def age(self, now: float) -> Any:
        """How old is each record? (n, m) float64 seconds, infinite where nothing is known."""
        return time_of(now) - self.arrays.time

    def astray(self, bodies: BodyArrays, metres: float = 5.0) -> Bools:
        """Whose belief is further than so many metres from the truth? (n, m) bool; nobody's who knows nothing.

        Notes
        -----
        The deliberate cheat of chapter 34: used only to send somebody sooner, never told to the observer.
        """
        metres = finite_number(metres, "metres", unit="m", low=0.0, high=1e9)
        away = self.arrays.xyz - bodies.xyz[self.targets]
        return ((away * away).sum(axis=2) > metres * metres) & (self.arrays.source != NOTHING)

    def approach_due(self, bodies: BodyArrays, now: float, *, unseen: float = 10.0, moved: float | None = 5.0) -> Bools:
        """Who should go and look? (n, m) bool: not perceived for `unseen` seconds, or the target is `moved` metres off.

        `moved` None: no cheating.
        """
        unseen = finite_number(unseen, "unseen", unit="s", low=0.0)
        due = (self.arrays.source != NOTHING) & (self.age(now) >= unseen)
        return due if moved is None else due | self.astray(bodies, moved)

    def forget(self, now: float, older: float) -> None:
        """Drop records older than so many seconds."""
        gone = self.age(now) > finite_number(older, "older", unit="s", low=0.0)
        for array, empty in zip(self.arrays, (0, 0, 0, -np.inf, -np.inf, NOTHING, 0, 0, 0, 0)):
            array[gone] = empty

    def loss(
        self, observer: int, target: int, now: float, *, view: View | None = None, running: float = 4.0
    ) -> Loss | None:
        """What can observer number i tell a predictor about target number j? None: it knows nothing.

        Parameters
        ----------
        view : angle and distance it sees by, where that is known; faces as its head did when it knew last.
        running : metres a second the target is taken to run at, at least.
        """
        i, j = self._pair(observer, target)
        know, now = self.arrays, time_of(now)
        if know.source[i, j] == NOTHING:
            return None
        if view is not None:
            view = thing_of(view, View, "view", "give View(…), or None")
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
        """Return a knowledge of its own with the same content."""
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
                f"observer {i} and target {j} are asked for; there are {len(self.observers)} and {len(self.targets)}"
            )
        return i, j


def _grace_seconds(grace: float | str) -> float:
    """Return a grace in seconds, given as such or by its name in `GRACES`."""
    if isinstance(grace, str):
        if grace not in GRACES:
            raise InputError(f"no grace is named {grace!r}; give seconds or one of {', '.join(GRACES)}")
        return GRACES[grace]
    return finite_number(grace, "grace", unit="s", low=0.0, high=60.0)
