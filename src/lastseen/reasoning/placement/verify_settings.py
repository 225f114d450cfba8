"""Settings for verifying a level with guards."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ...checks import finite_number, seed_of, shown, whole_number
from ...errors import InputError
from .settings import one_of

__all__ = ["SOLVERS", "VerifySettings"]

SOLVERS = ("rrt", "exact", "both")

_RANGES = {
    "seconds": ("s", 0.1, 86_400.0),
    "step": ("s", 0.01, 10.0),
    "speed": ("m/s", 0.01, 50.0),
    "seen_at": ("m", 0.0, 10.0),
    "close": ("m", 0.0, 1e6),
}
_MOST = {"runs": 100_000, "trees": 100_000, "nodes": 1_000_000}


@dataclass(frozen=True)
class VerifySettings:
    """Settings for verifying a level with guards.

    Attributes
    ----------
    seconds : time limit for a player, 0.1 … 86,400.
    step : length of a time step in seconds, 0.01 … 10; guards look `substeps` times per step (once in the source).
    speed : the player's top speed, 0.01 … 50 m/s.
    seen_at : height above the floor at which guards look for it, 0 … 10 m: the chest of a crouching body.
    solver : "rrt" (random trees), "exact" (all of cells × time) or "both".
    runs : independent runs of random trees, 1 … 100,000; each finds one path or none.
    trees, nodes : trees each run tries in turn, 1 … 100,000, and samples drawn for each, 1 … 1,000,000.
    smooth : remove detours from solutions where the straight line is unseen too.
    close : Fréchet distance from the intended path within which a solution counts as close, in metres; solutions nearer
        than that to each other form one group.
    """

    seconds: float = 60.0
    step: float = 0.1
    substeps: int = 1
    speed: float = 2.5
    seen_at: float = 1.0
    solver: str = "rrt"
    runs: int = 100
    trees: int = 24
    nodes: int = 500
    smooth: bool = True
    close: float = 3.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (unit, low, high) in _RANGES.items():
            object.__setattr__(self, name, finite_number(getattr(self, name), name, unit=unit, low=low, high=high))
        for name in ("substeps", *_MOST):
            object.__setattr__(self, name, whole_number(getattr(self, name), name, low=1))
        for name, most in _MOST.items():
            if getattr(self, name) > most:
                raise InputError(f"{name} is {getattr(self, name):,}; give a whole number, 1 to {most:,}")
        object.__setattr__(self, "seed", seed_of(self.seed))
        one_of(self.solver, "solver", SOLVERS)
        if not isinstance(self.smooth, bool):
            raise InputError(f"smooth is {shown(self.smooth)}; give True or False")

    def as_object(self) -> dict[str, str | float | int]:
        """Return the settings by name, for JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}
