"""Settings of search maps and of coordinated searches."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

from ...checks import finite_number, instance_of, real_number, whole_number
from ..input_checks import changed, preset_of, require_choice, require_flags, store_numbers

_SECONDS, _METRES = ("s", 0.0, 1e6), ("m", 0.0, 1e6)
_MAP_RANGES = {
    "speed": ("m/s", 0.0, 1e3),
    "fade": ("per m", 0.0, 1.0),
    "threshold": ("", 0.0, 1.0),
    "regeneration": ("per s", 0.0, 1e3),
    "cube": ("m", 0.0, 100.0),
    "angle": ("rad", 0.0, math.radians(170.0)),
    "distance": ("m", 0.0, 1e3),
    "reach_z": ("m", 0.0, 100.0),
    "gather": _SECONDS,
    "nearest": _METRES,
}
_COORDINATOR_RANGES = {
    **dict.fromkeys(("grace", "stuck_seconds", "look_seconds", "time_limit", "ray_interval", "stagger"), _SECONDS),
    **dict.fromkeys(("radius", "view_distance", "most_radius"), _METRES),
    **dict.fromkeys(("arrive", "spacing"), ("m", 0.0, 1e3)),
    "view_angle": ("rad", 0.0, 2.0 * math.pi),
    "grow": ("", 1.01, 100.0),
}


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How influence spreads in a `SearchMap`, is cleaned and returns.

    Attributes
    ----------
    speed : m/s at which influence spreads, about the speed of the target.
    pace : the length that the speed refers to. "walked": links from cell to cell; never early, but late where shortest
        paths cut corners. "shortest": paths on the mesh; right on average over the map, early in some places and late
        in others.
    fade : share of the full value lost per metre; 0: seeded values arrive everywhere undiminished.
    diagonals : False: spread only to neighbours that share a side, as on the search map of chapter 34.
    returns : how cleaned cells return. "regenerate": slowly by themselves, up to `threshold`. "bleed": from neighbours
        that still have influence, at `speed`. "never".
    threshold : value up to which cleaned cells regenerate, 0 … 1.
    regeneration : share of the full value per second.
    watched : what a wave does at a cell that a searcher cleaned in this step or the one before. "pass": continues, and
        the cell is cleaned again. "hold": waits until no searcher looks, so that no target slips by. Bleeding always
        holds.
    cube : metres to each side of a searcher that it cleans by its presence.
    cube_needs_line : whether a straight walk must lead to those cells too, so that walls count.
    angle, distance : opening in radians and height in metres of the triangle a searcher cleans by looking.
    reach_z : metres below and above the feet within which floors are cleaned.
    gather : seconds within which seeds belong to one wave; later ones spread over everything cleaned since.
    nearest : metres within which a place off the cells is moved to the nearest one.
    """

    speed: float = 4.0
    pace: Literal["walked", "shortest"] = "walked"
    fade: float = 0.0
    diagonals: bool = True
    returns: Literal["regenerate", "bleed", "never"] = "regenerate"
    threshold: float = 0.1
    regeneration: float = 0.01
    watched: Literal["pass", "hold"] = "pass"
    cube: float = 1.5
    cube_needs_line: bool = True
    angle: float = math.radians(60.0)
    distance: float = 10.0
    reach_z: float = 2.0
    gather: float = 1.0
    nearest: float = 2.0

    def __post_init__(self) -> None:
        require_choice(self.returns, "returns", ("regenerate", "bleed", "never"))
        require_choice(self.pace, "pace", ("walked", "shortest"))
        require_choice(self.watched, "watched", ("pass", "hold"))
        require_flags(self, "diagonals", "cube_needs_line")
        store_numbers(self, _MAP_RANGES)

    def but(self, **changes: Any) -> SearchSettings:
        """Return a copy with some settings changed; an unknown name is an error."""
        return changed(self, changes)


PRESETS: dict[str, SearchSettings] = {
    "influence": SearchSettings(),
    "careful": SearchSettings(watched="hold", fade=0.004),
    "bleeding": SearchSettings(diagonals=False, returns="bleed", watched="hold"),
    "gain": SearchSettings(fade=0.025, threshold=0.3, regeneration=0.003, distance=11.0),
}
"""Settings by name. "gain" is for searchers that go where a look shows most (see `Scoring`). "influence" is the layer
of *Dishonored 2*, "bleeding" the search map of "Human Enemy AI in *The Last of Us*"; "careful" is the former, but no
target slips past a searcher's eyes and distant places count less."""


def preset(name: str) -> SearchSettings:
    """Return the settings of a named preset."""
    return preset_of(PRESETS, name)


@dataclass(frozen=True, kw_only=True)
class SpotWeights:
    """Weights of distances in metres: score = -(estimate · d + searcher · d + actual · d) + influence · value.

    Attributes
    ----------
    estimate, searcher : weights of the distances of a spot from the estimated position and from the searcher.
    actual : weight of the distance from the target, which fakes intuition: keep it small compared with the other two,
        or all searchers flock to the target and break the illusion.
    influence : metres that a full value of the search map at the spot is worth, if one is used.
    """

    estimate: float = 1.0
    searcher: float = 1.0
    actual: float = 0.1
    influence: float = 10.0


@dataclass(frozen=True, kw_only=True)
class CoordinatorSettings:
    """Settings of a coordinated search. The source gives `grace`, the two limits and `ray_interval`; the rest is ours.

    Attributes
    ----------
    grace : seconds for which the true position stays known after sight was lost.
    cautious_limit, aggressive_limit : maximum number of searchers that go to the place in phase 1.
    cautious_sweeps : whether a cautious search continues with phase 2.
    advance : phase 2 begins at the "arrival" of the first investigator, or when the first has the place in "sight".
    arrive : metres within which a place counts as reached.
    stuck_seconds : seconds without progress after which a searcher is as near as it can get.
    look_seconds : seconds for which a cautious investigator looks around.
    missing_seconds : seconds after which an investigator that has not returned is missing; infinite: never.
    time_limit : maximum seconds of an aggressive search.
    radius : metres around the estimated position in which spots are created.
    pool : number of spots wanted; many, so that the pool does not run dry.
    spacing : minimum metres between spots.
    graph_points : number of search-graph points added to the pool; 0: none.
    weights : weights for choosing spots.
    ray_interval : seconds between two looks of a searcher at the same spot.
    view_angle, view_distance : radians and metres within which a searcher clears spots by sight.
    recycle : when no spot is left: "off": give up. "oldest": reuse the spot searched longest ago. "grow": enlarge the
        radius.
    grow : factor by which the radius grows, up to `most_radius`.
    stagger : seconds over which searchers give up, each at a random time.
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
        require_choice(self.recycle, "recycle", ("off", "oldest", "grow"))
        require_choice(self.advance, "advance", ("arrival", "sight"))
        require_flags(self, "cautious_sweeps")
        for name in ("cautious_limit", "aggressive_limit", "pool"):
            whole_number(getattr(self, name), name, low=1)
        whole_number(self.graph_points, "graph_points")
        store_numbers(self, _COORDINATOR_RANGES)
        seconds = real_number(self.missing_seconds, "missing_seconds", "seconds, or infinity")
        if seconds != math.inf:
            finite_number(seconds, "missing_seconds", unit="s", low=0.0, high=1e6)
        instance_of(self.weights, SpotWeights, "weights", "give SpotWeights(…)")

    def but(self, **changes: Any) -> CoordinatorSettings:
        """Return a copy with some settings changed; an unknown name is an error."""
        return changed(self, changes)
