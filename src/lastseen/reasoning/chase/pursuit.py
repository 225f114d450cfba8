"""A chase over time: starts with a loss, restarts at stimuli, ends with sight of the target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from ...checks import finite_number, frozen, point_xyz, shown, whole_number
from ...errors import InputError, QueryError, did_you_mean
from .loss import Loss, View, direction_xyz
from .prediction import Prediction, Predictor

PRIORITIES = {"footstep": 1, "voice": 1, "gunshot": 2, "explosion": 2, "touch": 3}
"""Default priority by kind of stimulus. "sight" and "contact" end a chase."""

_ENGAGING = ("sight", "contact")

Response = Literal["reset", "engage", "too_weak", "limit"]


@dataclass(frozen=True, eq=False)
class Stimulus:
    """Something perceived while chasing.

    Attributes
    ----------
    kind : one of `PRIORITIES`, "sight", "contact", or any other name with a priority.
    xyz : position in metres.
    priority : 0 or more; None: as in `PRIORITIES`.
    heading : direction the target went in; None: unknown, so no barrier.
    """

    kind: str
    xyz: Any
    priority: float | None = None
    heading: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str):
            raise InputError(f"kind of a stimulus is {shown(self.kind)}; give a name, such as 'gunshot'")
        object.__setattr__(self, "xyz", frozen(point_xyz(self.xyz, "xyz of a stimulus")))
        object.__setattr__(self, "heading", frozen(direction_xyz(self.heading, "heading of a stimulus")))
        if self.priority is not None:
            object.__setattr__(self, "priority", finite_number(self.priority, "priority", low=0.0, high=1e6))
        elif self.kind in PRIORITIES:
            object.__setattr__(self, "priority", float(PRIORITIES[self.kind]))
        elif self.kind not in _ENGAGING:
            known = (*PRIORITIES, *_ENGAGING)
            hint = did_you_mean(self.kind, known)
            raise InputError(f"no priority is known for {self.kind!r}{hint}; give one, or one of {', '.join(known)}")


class Pursuit:
    """A chase that restarts at strong stimuli, a limited number of times.

    Parameters
    ----------
    predictor : predictor of the destination, such as a `Chase`.
    least_priority : minimum priority of stimuli; weaker ones are ignored.
    most_resets : maximum number of restarts, so that a chase ends.

    Attributes
    ----------
    state : "chase" while it runs, "engage" once the target is perceived again.
    prediction : where to run now.
    resets : number of restarts so far.
    """

    def __init__(self, predictor: Predictor, loss: Loss, *, least_priority: float = 2.0, most_resets: int = 3):
        if not callable(getattr(predictor, "predict", None)):
            raise InputError(f"predictor is {shown(predictor)}; give one that has predict(loss), such as Chase(cells)")
        self.predictor = predictor
        self.least_priority = finite_number(least_priority, "least_priority", low=0.0, high=1e6)
        self.most_resets = whole_number(most_resets, "most_resets")
        self.state: Literal["chase", "engage"] = "chase"
        self.resets = 0
        if not isinstance(loss, Loss):
            raise InputError(f"loss is {shown(loss)}; give Loss(seen_at, heading, …)")
        self.loss = loss
        self.prediction: Prediction = predictor.predict(loss)

    def perceive(self, stimulus: Stimulus, *, guard_at: Any = None, guard_view: View | None = None) -> Response:
        """React to a stimulus and return the response.

        "reset": the chase restarted from there, with a new `prediction`. "engage": the target is perceived, the chase
        is over. "too_weak", "limit": ignored because of its priority, or because of too many restarts.
        """
        if self.state == "engage":
            raise QueryError("this chase is over: the target was perceived; start a new Pursuit with the next loss")
        if not isinstance(stimulus, Stimulus):
            raise InputError(f"stimulus is {shown(stimulus)}; give Stimulus(kind, xyz)")
        if stimulus.kind in _ENGAGING:
            self.state = "engage"
            return "engage"
        if stimulus.priority is None or stimulus.priority < self.least_priority:
            return "too_weak"
        if self.resets >= self.most_resets:
            return "limit"
        heard = {"seen_at": stimulus.xyz, "heading": stimulus.heading, "seconds": 0.0}
        loss = replace(self.loss, **heard, guard_at=guard_at, guard_view=guard_view)
        self.prediction = self.predictor.predict(loss)
        self.loss = loss
        self.resets += 1
        return "reset"
