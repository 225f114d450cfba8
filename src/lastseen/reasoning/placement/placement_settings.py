"""Settings for placing guards, and for verifying a level with guards."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from ...checks import seed_of, whole_number
from ...errors import InputError
from ..input_checks import require_choice, require_flags, store_numbers
from .route_grammar import parse_grammar

PACKINGS = ("remainder-boundary", "neighbourhood-growth", "voronoi", "skeleton")
GUARD_TERMS = ("linear", "flat")
ROUTES = ("walks", "segments")
MOST_REWRITES = 10

_RANGES = {
    **dict.fromkeys(("path_cost", "guard_cost", "drop_off", "least", "most"), ("", 0.0, 1e6)),
    **dict.fromkeys(("spare_path", "coarseness"), ("", 0.0, 1e3)),
    "notice": ("", 0.0, 60.0),
    "body": ("", 0.0, 10.0),
}


@dataclass(frozen=True)
class PlacementSettings:
    """Settings for placing guards.

    A unit of the level is the square root of its walkable area in metres, so that settings found for one level serve
    another; with `raw` costs and lengths are in metres, as in the source.

    Attributes
    ----------
    packing : "remainder-boundary" (the source's choice), "neighbourhood-growth", "voronoi" or "skeleton".
    path_cost : cost added to an edge on the intended path, in units of the level, falling to 0 at `drop_off`; a high
        value keeps guards off the path.
    guard_cost : the same for each earlier guard's route, in units of the level, when guards are placed one by one.
    guard_term : "linear" drops off with distance like the path term (the source's suggestion); "flat" adds the full
        cost to the edges an earlier guard walks and nothing to others (the source's implementation).
    drop_off : distance at which these costs end, in units of the level.
    least : minimum cost of a route, in units of the level.
    most : maximum cost of a route, in units of the level.
    raw : costs and lengths are in metres instead of units of the level.
    together : choose guards jointly by what they see, instead of one by one; they never see less of the floor.
    candidates : candidate routes drawn per guard when guards are chosen together.
    spare_path : penalty for seeing the path; 1: as much as seeing the floor is worth. Unless it is 0, guards placed
        together see no more of it than those placed one by one.
    grammar : rules that add pauses and detours to routes, or the name of some; see `parse_grammar`.
    rewrites : how many times these rules are applied, 1 … 10.
    notice : seconds a target must be in view to be noticed; see `radius_range`.
    coarseness : factor on the largest radius of a packing; higher values give fewer, larger circles.
    attempts : routes drawn for a guard before giving up.
    redraws : whole placements drawn for a check before giving up; of more than 12 guards fewer, 240 guards in all.
    body : radius of guards in metres.
    routes : "walks" (the source's closed walks) or "segments": Xu's baseline of one straight segment per region, which
        ignores the path and all costs.
    """

    packing: str = "remainder-boundary"
    path_cost: float = 2.0
    guard_cost: float = 0.5
    guard_term: str = "linear"
    drop_off: float = 0.15
    least: float = 0.5
    most: float = 2.0
    raw: bool = False
    together: bool = True
    candidates: int = 24
    spare_path: float = 1.0
    grammar: str = "plain"
    rewrites: int = 1
    notice: float = 0.5
    coarseness: float = 1.0
    attempts: int = 200
    redraws: int = 20
    body: float = 0.3
    routes: str = "walks"

    def __post_init__(self) -> None:
        store_numbers(self, _RANGES, "drop_off", "most", "coarseness")
        for name in ("candidates", "attempts", "redraws", "rewrites"):
            object.__setattr__(self, name, whole_number(getattr(self, name), name, low=1))
        require_choice(self.packing, "packing", PACKINGS)
        require_choice(self.routes, "routes", ROUTES)
        require_choice(self.guard_term, "guard_term", GUARD_TERMS)
        parse_grammar(self.grammar)
        if self.rewrites > MOST_REWRITES:
            raise InputError(f"rewrites is {self.rewrites}; give 1 to {MOST_REWRITES}")
        require_flags(self, "raw", "together")
        if self.least > self.most:
            raise InputError(f"least is {self.least:g}, more than most, {self.most:g}; swap them")

    def as_object(self) -> dict[str, str | float | int | bool]:
        """Return the settings by name, for JSON."""
        return asdict(self)


SOLVERS = ("auto", "rrt", "exact", "both")
LEAST_SECONDS, PATIENCE = 60.0, 4.0
"""Default time limit of players: at least this many seconds, and this many times as long as the path takes."""

_VERIFY_RANGES = {
    "seconds": ("s", 0.1, 86_400.0),
    "step": ("s", 0.01, 10.0),
    "speed": ("m/s", 0.01, 50.0),
    "seen_at": ("m", 0.0, 10.0),
    "close": ("m", 0.0, 1e6),
}
_WITHOUT_LIMIT = {name: allowed for name, allowed in _VERIFY_RANGES.items() if name != "seconds"}
MOST_TAKEDOWNS = 3
_MOST = {"runs": 100_000, "trees": 100_000, "nodes": 1_000_000}


@dataclass(frozen=True)
class VerifySettings:
    """Settings for verifying a level with guards.

    Attributes
    ----------
    seconds : time limit for a player, 0.1 … 86,400; None: 60, or four times as long as the intended path takes (without
        one, the shortest path), if that is longer.
    step : seconds between two decisions of a player, 0.01 … 10.
    substeps : how often guards look per step, 1 … 1000 (once in the source).
    speed : the player's top speed, 0.01 … 50 m/s.
    seen_at : height above the floor at which guards look for it, 0 … 10 m: the chest of a crouching body.
    contact : body contact, and being within a guard's passive radius, count as detection.
    solver : "auto": random trees, and on small levels an exact search of cells × time; "both": on any level; "exact":
        the exact search only. All of these also check the intended path (`PathCheck`), and the last third of the trees
        of a run is guided by the paths found. "rrt": random trees only, without a guide, as in the source.
    runs : independent runs of random trees, 1 … 100,000; each finds one path or none.
    trees : trees each run tries in turn, 1 … 100,000.
    nodes : samples drawn for each tree, 1 … 1,000,000.
    smooth : remove detours from solutions where the straight line is unseen too.
    takedowns : guards that a player may take out if there is no other way, 0 … 3: see `plan_takedowns`.
    close : Fréchet distance from the intended path within which a solution counts as close, in metres; solutions nearer
        than that to each other form one group.
    """

    seconds: float | None = None
    step: float = 0.1
    substeps: int = 10
    speed: float = 2.5
    seen_at: float = 1.0
    contact: bool = True
    solver: str = "auto"
    runs: int = 100
    trees: int = 6
    nodes: int = 4000
    smooth: bool = True
    close: float = 3.0
    takedowns: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        numbers = _VERIFY_RANGES if self.seconds is not None else _WITHOUT_LIMIT
        store_numbers(self, numbers)
        for name in ("substeps", *_MOST):
            object.__setattr__(self, name, whole_number(getattr(self, name), name, low=1))
        for name, most in _MOST.items():
            if getattr(self, name) > most:
                raise InputError(f"{name} is {getattr(self, name):,}; give a whole number, 1 to {most:,}")
        object.__setattr__(self, "takedowns", whole_number(self.takedowns, "takedowns", low=0))
        if self.takedowns > MOST_TAKEDOWNS:
            raise InputError(f"takedowns is {self.takedowns}; give 0 to {MOST_TAKEDOWNS}")
        object.__setattr__(self, "seed", seed_of(self.seed))
        require_choice(self.solver, "solver", SOLVERS)
        require_flags(self, "smooth", "contact")

    def limited(self, metres: float) -> VerifySettings:
        """Return these settings with a time limit: their own, or the default for a path of this length."""
        if self.seconds is not None:
            return self
        most = _VERIFY_RANGES["seconds"][2]
        return replace(self, seconds=min(max(LEAST_SECONDS, PATIENCE * metres / self.speed), most))

    @property
    def limit(self) -> float:
        """The time limit in seconds; the least default if none is given."""
        return LEAST_SECONDS if self.seconds is None else self.seconds

    def as_object(self) -> dict[str, str | float | int | None]:
        """Return the settings by name, for JSON."""
        return asdict(self)
