"""A chase over time: starts with a loss, restarts at stimuli, ends with sight of the target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ...checks import finite_number, frozen, instance_of, point_xyz, shown, whole_number
from ...errors import InputError, QueryError, did_you_mean
from ..input_checks import changed
from .loss import Loss, Trail, View, direction_xyz
from .prediction import Prediction, Predictor

if TYPE_CHECKING:
    from .flood.flood_run import FloodRun

PRIORITIES = {
    **dict.fromkeys(("breathing", "footstep", "voice", "door"), 1.0),
    **dict.fromkeys(("bottle", "shout", "body fall"), 2.0),
    **dict.fromkeys(("gunshot", "explosion", "alarm"), 3.0),
    "touch": 4.0,
}
"""Default priority by kind of stimulus, also of sounds. "sight" and "contact" end a chase."""
STRONG = 3.0
"""Priority from which a stimulus restarts a chase and outweighs what a search knew before."""

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
            object.__setattr__(self, "priority", PRIORITIES[self.kind])
        elif self.kind not in _ENGAGING:
            known = (*PRIORITIES, *_ENGAGING)
            hint = did_you_mean(self.kind, known)
            raise InputError(f"no priority is known for {self.kind!r}{hint}; give one, or one of {', '.join(known)}")


@dataclass(frozen=True, kw_only=True)
class Conduct:
    """How a chase goes on after its first prediction.

    Attributes
    ----------
    least_priority : minimum priority of stimuli that restart it; weaker ones are ignored.
    most_resets : maximum number of restarts, so that a chase ends.
    interval : seconds between two steps of a flood over time, or "pace": the time in which the runner crosses a cell;
        for omniscient predictors, seconds between two predictions. None: predict once, at once.
    """

    least_priority: float = STRONG
    most_resets: int = 3
    interval: float | Literal["pace"] | None = None

    def __post_init__(self) -> None:
        finite_number(self.least_priority, "least_priority", low=0.0, high=1e6)
        whole_number(self.most_resets, "most_resets")
        if self.interval is not None and not (isinstance(self.interval, str) and self.interval == "pace"):
            finite_number(self.interval, "interval", unit="s", low=0.0, high=1e6, open_low=True)


_CRUMBS = 0.5
"""Default interval of omniscient predictors in seconds."""


class Pursuit:
    """A chase that restarts at strong stimuli, a limited number of times, and may flood over time.

    Parameters
    ----------
    predictor : predictor of the destination, such as a `Chase`.
    conduct : when it restarts and how fast it floods; `changes` are its settings, such as `most_resets=1`.

    Attributes
    ----------
    state : "chase" while it runs, "engage" once the target is perceived again.
    prediction : where to run now.
    resets : number of restarts so far.
    stimulus : the one that caused the last restart; None before the first.
    """

    def __init__(self, predictor: Predictor, loss: Loss, conduct: Conduct | None = None, **changes: Any):
        if not callable(getattr(predictor, "predict", None)):
            raise InputError(f"predictor is {shown(predictor)}; give one that has predict(loss), such as Chase(cells)")
        given = Conduct() if conduct is None else instance_of(conduct, Conduct, "conduct", "give Conduct(…), or None")
        self.predictor, self.conduct = predictor, changed(given, changes)
        self.state: Literal["chase", "engage"] = "chase"
        self.resets = 0
        self.stimulus: Stimulus | None = None
        if not isinstance(loss, Loss):
            raise InputError(f"loss is {shown(loss)}; give Loss(seen_at, heading, …)")
        self._begin(loss)

    def _begin(self, loss: Loss) -> None:
        """Predict from a loss; over time, the flood is only seeded."""
        starts = getattr(self.predictor, "start", None) if self.conduct.interval is not None else None
        run: FloodRun | None = None if starts is None else starts(loss)
        self.prediction: Prediction = self.predictor.predict(loss) if run is None else run.result()
        self.loss, self._run, self._asked = loss, run, loss.seconds

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
        if stimulus.priority is None or stimulus.priority < self.conduct.least_priority:
            return "too_weak"
        if self.resets >= self.conduct.most_resets:
            return "limit"
        heard = {"seen_at": stimulus.xyz, "heading": stimulus.heading, "seconds": 0.0}
        self._begin(replace(self.loss, **heard, guard_at=guard_at, guard_view=guard_view))
        self.stimulus = stimulus
        self.resets += 1
        return "reset"

    def advance(self, seconds: float, *, trail: Trail | None = None) -> bool:
        """Go on with a prediction over time, `seconds` after it began; return whether `prediction` is a new one.

        Omniscient predictors follow the `trail` of the target since the loss.
        """
        interval = self.conduct.interval
        if self._run is not None:
            steps = self._run.steps
            if self._run.done:
                return False
            self._run.advance_to(seconds, interval=None if interval == "pace" else interval)
            if self._run.steps == steps and not self._run.done:
                return False
            self.prediction = self._run.result()
            return True
        wait = interval if isinstance(interval, int | float) else _CRUMBS
        if trail is None or seconds + self.loss.seconds < self._asked + wait:
            return False
        self._asked = seconds + self.loss.seconds
        self.prediction = self.predictor.predict(replace(self.loss, seconds=self._asked, trail=trail))
        return True
