"""Chasing: where did they run? One place to run to, with the reasons for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import InputError, did_you_mean
from ....reasoning.chase.loss import View
from ....reasoning.chase.prediction import Flood, Prediction
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, SUCCESS, Status
from ..mind import Mind

__all__ = ["Predict"]

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
        name = self.predictor or world.chase
        if name not in world.predictors:
            raise InputError(
                f"no predictor {name!r}{did_you_mean(name, world.predictors)}; {', '.join(world.predictors)}"
            )
        view = View((1.0, 0.0), world.view_angle[mind.row], world.view_distance[mind.row])
        loss = world.knowledge.loss(mind.require_watcher(), column, mind.time, view=view)
        if loss is None:
            self.reason = "knows nothing of it"
            return FAILURE
        guess = world.predictors[name].predict(loss)
        x, y, z = guess.destination.tolist()
        goal = (x, y, z)
        mind.blackboard["goal"] = goal
        mind.blackboard["chased"] = float(world.acted_on[mind.row, column])
        self.reason = f"{name}: {guess.reason}"
        mind.tell(
            "flood",
            f"{mind.name} runs to ({x:.1f}, {y:.1f}), {mind.distance_to(goal):.0f} m off: {_because(guess)}",
            other=int(world.targets[column]),
            at=goal,
            data={
                "predictor": name,
                "seen_at": loss.seen_at.tolist(),
                "heading": loss.heading.tolist(),
            }
            | _shown(guess),
        )
        return SUCCESS


def _because(guess: Prediction) -> str:
    words = {
        "too_many": "the flood stopped where the place is wide",
        "max_steps": "the flood ran to its last step",
        "no_cells": "the flood filled all there is",
    }
    return words.get(guess.reason, guess.reason)


def _shown(guess: Prediction) -> dict[str, Any]:
    """Return what pictures and `why` need of a guess."""
    if not isinstance(guess, Flood):
        return {"reason": guess.reason}
    order = np.argsort(guess.heated_in, kind="stable")[:_MOST_SHOWN]
    return {
        "reason": guess.reason,
        "steps": int(guess.steps),
        "warm": guess.warm[order].tolist(),
        "values": guess.values[order].tolist(),
        "heated_in": guess.heated_in[order].tolist(),
        "cold": guess.cold[:_MOST_SHOWN].tolist(),
        "cold_in": guess.cold_in[:_MOST_SHOWN].tolist(),
        "barrier": guess.barrier[:_MOST_SHOWN].tolist(),
        "closed": guess.closed[:_MOST_SHOWN].tolist(),
    }
