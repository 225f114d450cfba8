"""The chase after a loss: predict where the target ran, and hold ground until one agent approaches (chapter 34)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....errors import InputError, did_you_mean
from ....reasoning.chase.loss import View
from ....reasoning.chase.prediction import Flood, Prediction
from ....vocabulary.events import Approaches, Predicted
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..facts import WAITS, woken_by
from ..mind import Mind, Place

__all__ = ["Approach", "Approached", "Predict", "WatchPlace", "holds_ground", "should_approach"]

_MOST_SHOWN = 600
"""Cells of a flood written down with the event."""


class Predict(Leaf):
    """Asks a predictor where the target ran and writes the place to "goal"; FAILURE where nothing is known of it."""

    kind = "predict"
    reads = {"target": int}  # noqa: RUF012
    writes = {"goal": tuple, "chased": float}  # noqa: RUF012

    def __init__(self, *, predictor: str = "", name: str = ""):
        self.predictor, self.name = predictor, name

    def details(self) -> str:
        """Return which one is asked."""
        return self.predictor

    def tick(self, mind: Mind) -> Status:
        """Ask once."""
        world, column = mind.world, mind.blackboard["target"]
        known = world.reasoning.predictors
        name = self.predictor or world.reasoning.chase
        if name not in known:
            raise InputError(f"no predictor {name!r}{did_you_mean(name, known)}; {', '.join(known)}")
        view = View((1.0, 0.0), world.cast.view_angle[mind.row], world.cast.view_distance[mind.row])
        loss = world.knowledge.loss(mind.require_watcher(), column, mind.time, view=view)
        if loss is None:
            self.reason = "knows nothing of it"
            return FAILURE
        guess = known[name].predict(loss)
        x, y, z = guess.destination.tolist()
        goal = (x, y, z)
        mind.blackboard["goal"] = goal
        mind.blackboard["chased"] = float(mind.attention.acted_on[mind.row, column])
        self.reason = f"{name}: {guess.reason}"
        sx, sy, sz = loss.seen_at.tolist()
        world.happened(
            Predicted(
                world.tick,
                mind.number,
                at=goal,
                other=int(world.cast.targets[column]),
                predictor=name,
                reason=guess.reason,
                metres=mind.distance_to(goal),
                seen_at=(sx, sy, sz),
                heading=tuple(loss.heading.tolist()),
                **_shown(guess),
            )
        )
        return SUCCESS


def _shown(guess: Prediction) -> dict[str, Any]:
    """Return what pictures and `why` need of a flood."""
    if not isinstance(guess, Flood):
        return {}
    order = np.argsort(guess.heated_in, kind="stable")[:_MOST_SHOWN]
    cells = {name: getattr(guess, name)[order] for name in ("warm", "values", "heated_in")}
    cells |= {name: getattr(guess, name)[:_MOST_SHOWN] for name in ("cold", "cold_in", "barrier", "closed")}
    return {"steps": int(guess.steps)} | {name: tuple(values.tolist()) for name, values in cells.items()}


Answer = tuple[bool, str]


def _believed(mind: Mind) -> Place:
    """Return where it believes the intruder to be."""
    know = mind.world.knowledge.arrays
    x, y, z = know.xyz[mind.row, mind.blackboard["target"]].tolist()
    return x, y, z


def _is_waiting(mind: Mind) -> Answer:
    """Does it hold its ground by its settings, and has nobody been at the place since the intruder was seen?"""
    if not mind.blackboard["approach"]:
        return False, "does not wait"
    column = mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "knows of nobody"
    mind.blackboard["target"] = column
    seen = float(mind.attention.acted_on[:, column].max())
    if seen == -math.inf:
        return False, "nobody has seen anybody for sure"
    if mind.world.hunt.approached >= seen:
        return False, "somebody has been there"
    return True, "waits for it to come out"


@woken_by(WAITS)
def should_approach(mind: Mind, unseen: float = 10.0, moved: float = 5.0) -> Answer:
    """Should it go in: not perceived for `unseen` seconds, or the intruder is `moved` metres from where it is believed?

    The second is a cheat that shortens the wait; `moved: 0` does without. One goes in at a time. Only for agents whose
    setting `approach` is true.
    """
    hunt = mind.world.hunt
    waiting = _is_waiting(mind)
    if not waiting[0]:
        return waiting
    if hunt.approacher == mind.number and mind.state == "chase":
        return True, "goes in"
    if hunt.approacher >= 0 and mind.world.state_of(hunt.approacher) == "chase":
        return False, f"{mind.world.names[hunt.approacher]} goes in"
    column = mind.blackboard["target"]
    age = mind.time - float(mind.world.knowledge.arrays.time[mind.row, column])
    x, y, z = _believed(mind)
    truth = mind.world.snapshot.places[int(mind.world.cast.targets[column])]
    astray = moved > 0.0 and sum((a - b) ** 2 for a, b in zip((x, y, z), truth)) > moved * moved
    return age >= unseen or astray, f"unseen for {age:.1f} s"


@woken_by(WAITS)
def holds_ground(mind: Mind) -> Answer:
    """Does it wait for the intruder to come out? Only for agents whose setting `approach` is true."""
    return _is_waiting(mind)


class WatchPlace(Leaf):
    """Stands and watches where it believes the intruder to be; RUNNING."""

    kind = "watch_place"
    reads = {"target": int}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Watch."""
        heading = mind.heading_to(_believed(mind))
        mind.stand()
        mind.face(heading)
        mind.look(heading)
        return RUNNING

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Look ahead again."""
        mind.stand()


class Approach(Leaf):
    """Goes carefully to where it believes the intruder to be; SUCCESS there, or as near as there is a way to."""

    kind = "approach"
    reads = {"target": int}  # noqa: RUF012

    def __init__(self, *, pace: float = 0.9, name: str = ""):
        self.pace, self.name = pace, name

    def enter(self, mind: Mind) -> None:
        """Tell the others that somebody goes."""
        mind.world.hunt.approach(mind.number)
        self._place = _believed(mind)
        mind.world.happened(Approaches(mind.world.tick, mind.number, at=self._place))

    def tick(self, mind: Mind) -> Status:
        """Go on."""
        mind.go(self._place, "walk", pace=self.pace)
        return SUCCESS if mind.has_arrived or mind.is_stopped else RUNNING

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Stop."""
        mind.stand()


class Approached(Leaf):
    """Has found nobody there: everybody may search. Always SUCCESS."""

    kind = "approached"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Let the others know."""
        mind.world.hunt.end_approach(mind.time)
        return SUCCESS
