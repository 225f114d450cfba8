"""The chase after a loss: predict where the target ran, or hold ground until one agent approaches (chapter 34)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....errors import InputError, did_you_mean
from ....reasoning.chase.loss import View
from ....reasoning.chase.prediction import Flood, Prediction
from ....vocabulary.events import Approaches, Predicted
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..facts import WAITS
from ..mind import Mind, Place, as_place
from .brain_leaf import TARGET, Answer, BrainLeaf, MovingLeaf, action, condition, leaf

_MOST_SHOWN = 600
"""Cells of a flood stored with its event, at most."""


@leaf
class Predict(BrainLeaf):
    """Ask a predictor where the target ran and write the place to "goal"; FAILURE if the target is unknown."""

    kind = "predict"
    reads = TARGET
    writes = {"goal": tuple, "chased": float}  # noqa: RUF012

    def __init__(self, *, predictor: str = "", name: str = ""):
        self.predictor, self.name = predictor, name

    def details(self) -> str:
        """Return the name of the predictor."""
        return self.predictor

    def tick(self, mind: Mind) -> Status:
        """Predict once."""
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
        goal = as_place(guess.destination)
        mind.blackboard["goal"] = goal
        mind.blackboard["chased"] = float(mind.attention.acted_on[mind.row, column])
        self.reason = f"{name}: {guess.reason}"
        world.happened(
            Predicted(
                world.tick,
                mind.number,
                at=goal,
                other=int(world.cast.targets[column]),
                predictor=name,
                reason=guess.reason,
                metres=mind.distance_to(goal),
                seen_at=as_place(loss.seen_at),
                heading=tuple(loss.heading.tolist()),
                **_flood_columns(guess),
            )
        )
        return SUCCESS


def _flood_columns(guess: Prediction) -> dict[str, Any]:
    """Return the cells of a flood that pictures and `why` need; empty for other predictions."""
    if not isinstance(guess, Flood):
        return {}
    order = np.argsort(guess.heated_in, kind="stable")[:_MOST_SHOWN]
    cells = {name: getattr(guess, name)[order] for name in ("warm", "values", "heated_in")}
    cells |= {name: getattr(guess, name)[:_MOST_SHOWN] for name in ("cold", "cold_in", "barrier", "closed")}
    return {"steps": int(guess.steps)} | {name: tuple(values.tolist()) for name, values in cells.items()}


def _believed(mind: Mind) -> Place:
    """Return where the agent believes its target to be."""
    return as_place(mind.world.knowledge.arrays.xyz[mind.row, mind.blackboard["target"]])


@condition(WAITS, writes=TARGET)
def holds_ground(mind: Mind) -> Answer:
    """Return whether the agent waits for the intruder to come out, and none has gone in since it was last seen.

    Only agents with the setting `approach` wait.
    """
    if not mind.blackboard["approach"]:
        return False, "does not wait"
    column = mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "knows of nobody"
    mind.blackboard["target"] = column
    seen = float(mind.attention.acted_on[:, column].max())
    if seen == -math.inf:
        return False, "no agent has identified it"
    if mind.world.hunt.approached >= seen:
        return False, "an agent has been there"
    return True, "waits for it to come out"


@condition(WAITS, writes=TARGET)
def should_approach(mind: Mind, unseen: float = 10.0, moved: float = 5.0) -> Answer:
    """Return whether the agent should go in: the intruder was not perceived for `unseen` seconds, or has `moved`.

    The latter means that it is this many metres from where it is believed to be, a cheat that shortens the wait; 0
    disables it. One agent goes in at a time, and only agents with the setting `approach` do.
    """
    hunt = mind.world.hunt
    waiting = holds_ground(mind)
    if not waiting[0]:
        return waiting
    if hunt.approacher == mind.number and mind.state == "chase":
        return True, "goes in"
    if hunt.approacher >= 0 and mind.world.state_of(hunt.approacher) == "chase":
        return False, f"{mind.world.names[hunt.approacher]} goes in"
    column = mind.blackboard["target"]
    age = mind.time - float(mind.world.knowledge.arrays.time[mind.row, column])
    truth = mind.world.snapshot.places[int(mind.world.cast.targets[column])]
    astray = moved > 0.0 and sum((a - b) ** 2 for a, b in zip(_believed(mind), truth)) > moved * moved
    return age >= unseen or astray, f"unseen for {age:.1f} s"


@leaf
class WatchPlace(MovingLeaf):
    """Stand and watch where the intruder is believed to be; RUNNING."""

    kind = "watch_place"
    reads = TARGET

    def tick(self, mind: Mind) -> Status:
        """Watch the place."""
        heading = mind.heading_to(_believed(mind))
        mind.stand()
        mind.turn(heading)
        return RUNNING


@leaf
class Approach(MovingLeaf):
    """Walk carefully to where the intruder is believed to be; SUCCESS there, or as close as there is a path."""

    kind = "approach"
    reads = TARGET

    def __init__(self, *, pace: float = 0.9, name: str = ""):
        self.pace, self.name = pace, name

    def enter(self, mind: Mind) -> None:
        """Announce the approach to the other agents."""
        mind.world.hunt.approach(mind.number)
        self._place = _believed(mind)
        mind.world.happened(Approaches(mind.world.tick, mind.number, at=self._place))

    def tick(self, mind: Mind) -> Status:
        """Walk on."""
        mind.go(self._place, "walk", pace=self.pace)
        return SUCCESS if mind.has_arrived or mind.is_stopped else RUNNING


@action()
def approached(mind: Mind) -> Status:
    """Report that the place was found empty, so that all agents may search. Always SUCCESS."""
    mind.world.hunt.end_approach(mind.time)
    return SUCCESS
