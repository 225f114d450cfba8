"""Predictors by name: the presets of the chase, the baselines, and those of other packages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...checks import shown
from ...errors import InputError, did_you_mean
from ...extensions import extension, extension_names
from .baselines import Breadcrumbs, DeadReckoning, LastPosition, OmniscientTrail, ParticleFilter, StandStill
from .flood.chase import Chase
from .flood.chase_settings import FAITHFUL, PREFERRED, PRESETS, ChaseSettings

_PARTS = ("heading", "guard", "guard_looks", "speed", "seconds")


@dataclass(frozen=True)
class PredictorKind:
    """The name of a predictor and how to make one.

    Attributes
    ----------
    about : short description.
    make : function that returns the predictor for a layout.
    settings : settings of a chase; None for other predictors.
    is_omniscient : whether it knows where the target really went, as an upper bound.
    follows_trail : whether the guard runs along the target's own path instead of the shortest one.
    uses : the parts of a loss that change its prediction, in addition to the last seen position.
    """

    name: str
    about: str
    make: Callable[[Any], Any]
    settings: ChaseSettings | None = None
    is_omniscient: bool = False
    follows_trail: bool = False
    uses: tuple[str, ...] = _PARTS


def _chase(name: str, settings: ChaseSettings) -> PredictorKind:
    about = f"flood the cells ahead with the preset {name!r}"
    return PredictorKind(name, about, lambda cells: Chase(cells, settings=settings), settings)


_BASELINES = (
    PredictorKind("breadcrumbs", "follow the target's own trail", Breadcrumbs, is_omniscient=True, follows_trail=True),
    PredictorKind("true place", "run to where the target is", OmniscientTrail, is_omniscient=True),
    PredictorKind(
        "particle filter",
        "run to where most of many guesses went",
        lambda cells: ParticleFilter(cells, threads=1),
        uses=("heading", "guard", "speed", "seconds"),
    ),
    PredictorKind("dead reckoning", "run on as the target ran", DeadReckoning, uses=("heading",)),
    PredictorKind("last position", "run to where the target was last seen", LastPosition, uses=()),
    PredictorKind("stand still", "stay", StandStill, uses=()),
)

_SHIPPED = {
    **{kind.name: kind for kind in _BASELINES},
    **{name: _chase(name, settings) for name, settings in PRESETS.items()},
}
MEASURED = (
    *("breadcrumbs", "true place", PREFERRED, "particle filter", FAITHFUL),
    *("no barrier", "dead reckoning", "last position", "stand still"),
)
"""The predictors that evaluations measure by default, in the order of their reports."""


class _Predictors(Mapping[str, PredictorKind]):
    """The shipped predictors, and those of other packages, which are imported on first use."""

    def __getitem__(self, name: str) -> PredictorKind:
        if name in _SHIPPED:
            return _SHIPPED[name]
        if name not in extension_names("predictors"):
            raise KeyError(name)
        kind = extension("predictors", name)
        if not isinstance(kind, PredictorKind) or kind.name != name:
            raise InputError(f"predictor {name!r} of another package is {shown(kind)}; give PredictorKind({name!r}, …)")
        if kind.is_omniscient:
            raise InputError(f"predictor {name!r} of another package is omniscient; give one that guards can use")
        return kind

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*_SHIPPED, *extension_names("predictors"))))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return any(name == known for known in self)


PREDICTORS: Mapping[str, PredictorKind] = _Predictors()
"""Every predictor by name, the baselines first, those of other packages last."""


def fair_predictors() -> tuple[str, ...]:
    """Return the names of the predictors that use only what a guard can know."""
    return tuple(name for name in PREDICTORS if name not in _SHIPPED or not _SHIPPED[name].is_omniscient)


def predictor_kind(name: str) -> PredictorKind:
    """Return a predictor by name, as in "dead reckoning" or "dead-reckoning"; raise InputError for an unknown one."""
    spaced = name.replace("-", " ").replace("_", " ") if isinstance(name, str) else name
    for spelled in (name, spaced):
        if isinstance(spelled, str) and spelled in PREDICTORS:
            return PREDICTORS[spelled]
    names = ", ".join(PREDICTORS)
    raise InputError(f"no predictor {shown(name)}{did_you_mean(name, PREDICTORS)}; predictors: {names}")
