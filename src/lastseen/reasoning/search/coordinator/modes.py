"""The words of a coordinated search: modes, phases, roles, orders, events, and what it obeys."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from ....checks import finite_number, real_number, shown, whole_number
from ....conventions import Floats
from ....errors import InputError, did_you_mean
from ....vocabulary.events import SearchEnd
from ..search_settings import require_choice, require_flag
from .spots import SpotChoice, SpotWeights

Mode = Literal["cautious", "aggressive"]
"""Cautious: alerted, not knowing whether by an enemy. Aggressive: knowing that the target is hostile."""

StimulusClass = Literal["hostile", "distraction"]
"""What a stimulus is to somebody unaware: gunfire, an explosion; or a bottle, a prop knocked over."""

Role = Literal["combat", "investigate", "support", "sweep", "linger", "none"]


@dataclass(frozen=True, eq=False)
class Order:
    """What one searcher should do now.

    Attributes
    ----------
    searcher : its number.
    role : "combat": the target is visible, do not search. "investigate": go to the estimated position. "support": stay
        near and cover. "sweep": go to a search spot. "linger": the search is over, go back when told. "none": no part
        in a search.
    gait : "walk", "run" or "careful" (slow, close to the place).
    goal : (3,) metres, or None: stay.
    reason : why, in words.
    choice : the spot given and its terms, with role "sweep".
    """

    searcher: int
    role: Role
    gait: Literal["walk", "run", "careful"] = "walk"
    goal: Floats | None = None
    reason: str = ""
    choice: SpotChoice | None = None


@dataclass(frozen=True, eq=False)
class SearchEvent:
    """Something a game may show: dialogue, animation, a new stimulus.

    Attributes
    ----------
    kind : "search started", "phase advanced", "spot searched", "investigator missing", "search ended", "gives up".
    time : seconds.
    searcher : whom it concerns, -1: everybody.
    xyz : (3,) metres where it has a place.
    reason : why a search ended, or a searcher gave up.
    mode : of a search that started.
    """

    kind: str
    time: float
    searcher: int = -1
    xyz: Floats | None = None
    reason: SearchEnd | None = None
    mode: Mode | None = None


@dataclass(frozen=True, kw_only=True)
class CoordinatorSettings:
    """What a coordinated search obeys. The source gives `grace`, the two limits and `ray_interval`; the rest is ours.

    Attributes
    ----------
    grace : seconds the true position stays known after sight was lost.
    cautious_limit, aggressive_limit : most searchers that go to the place in phase 1.
    cautious_sweeps : whether a cautious search goes on to phase 2.
    advance : phase 2 begins at the "arrival" of the first investigator, or when the first has the place in "sight".
    arrive : metres within which a place counts as reached.
    stuck_seconds : who has come no nearer for so long is as near as it can get.
    look_seconds : how long a cautious investigator looks round.
    missing_seconds : after so long without its coming back an investigator is missing; infinite: never.
    time_limit : seconds an aggressive search lasts at most.
    radius : metres around the estimated position in which spots are looked for.
    pool : spots wanted; many, so that the pool does not run dry.
    spacing : metres spots keep apart.
    graph_points : points of the search graph added to the pool; 0: none.
    weights : of spots.
    ray_interval : seconds between two looks of a searcher at the same spot.
    view_angle, view_distance : radians and metres in which a searcher clears spots by sight.
    recycle : when no spot is left: "off": give up. "oldest": the spot searched longest ago. "grow": enlarge the radius.
    grow : factor by which the radius grows, at most up to `most_radius`.
    stagger : seconds over which searchers give up, each at its own drawn time.
    """

    grace: float = 2.5
    cautious_limit: int = 1
    aggressive_limit: int = 3
    cautious_sweeps: bool = False
    advance: Literal["arrival", "sight"] = "arrival"
    arrive: float = 1.0
    stuck_seconds: float = 4.0
    look_seconds: float = 4.0
    missing_seconds: float = 30.0
    time_limit: float = 60.0
    radius: float = 25.0
    pool: int = 40
    spacing: float = 2.0
    graph_points: int = 0
    weights: SpotWeights = field(default_factory=SpotWeights)
    ray_interval: float = 1.0
    view_angle: float = math.radians(110.0)
    view_distance: float = 15.0
    recycle: Literal["off", "oldest", "grow"] = "off"
    grow: float = 1.5
    most_radius: float = 200.0
    stagger: float = 6.0

    def __post_init__(self) -> None:
        require_choice(self, "recycle", ("off", "oldest", "grow"))
        require_choice(self, "advance", ("arrival", "sight"))
        require_flag(self, "cautious_sweeps")
        for name in ("cautious_limit", "aggressive_limit", "pool"):
            whole_number(getattr(self, name), name, low=1)
        whole_number(self.graph_points, "graph_points")
        for name, unit, low, high in (
            ("grace", "s", 0.0, 1e6),
            ("arrive", "m", 0.0, 1e3),
            ("stuck_seconds", "s", 0.0, 1e6),
            ("look_seconds", "s", 0.0, 1e6),
            ("time_limit", "s", 0.0, 1e6),
            ("radius", "m", 0.0, 1e6),
            ("spacing", "m", 0.0, 1e3),
            ("ray_interval", "s", 0.0, 1e6),
            ("view_angle", "rad", 0.0, 2.0 * math.pi),
            ("view_distance", "m", 0.0, 1e6),
            ("grow", "", 1.01, 100.0),
            ("most_radius", "m", 0.0, 1e6),
            ("stagger", "s", 0.0, 1e6),
        ):
            finite_number(getattr(self, name), name, unit=unit, low=low, high=high)
        seconds = real_number(self.missing_seconds, "missing_seconds", "seconds, or infinity")
        if seconds != math.inf:
            finite_number(seconds, "missing_seconds", unit="s", low=0.0, high=1e6)
        if not isinstance(self.weights, SpotWeights):
            raise InputError(f"weights is {shown(self.weights)}; give SpotWeights(…)")

    def but(self, **changes: Any) -> CoordinatorSettings:
        """Return the same settings with some changed; an unknown name is an error."""
        known = [one.name for one in fields(self)]
        for name in changes:
            if name not in known:
                raise InputError(f"no setting {name!r}{did_you_mean(name, known)}; settings: {', '.join(known)}")
        return replace(self, **changes)
