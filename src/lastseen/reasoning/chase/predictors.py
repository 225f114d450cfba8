"""Predictors by name: the presets of the chase and the baselines to compare with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...checks import shown
from ...errors import InputError, did_you_mean
from .baselines.breadcrumbs import Breadcrumbs
from .baselines.particles import ParticleFilter
from .baselines.positions import DeadReckoning, LastPosition, OmniscientTrail, StandStill
from .flood.chase import Chase
from .flood.chase_settings import PRESETS, ChaseSettings

__all__ = ["PREDICTORS", "PredictorKind", "predictor_kind"]


@dataclass(frozen=True)
class PredictorKind:
    """The name of a predictor and how to make one.

    Attributes
    ----------
    about : what it does, in a few words.
    make : returns the predictor for cells.
    settings : those of a chase; None for other predictors.
    is_omniscient : it is told where the target really went: an upper bound, not a rival.
    follows_trail : the guard runs along the target's own path instead of the shortest one to the place named.
    """

    name: str
    about: str
    make: Callable[[Any], Any]
    settings: ChaseSettings | None = None
    is_omniscient: bool = False
    follows_trail: bool = False


def _chase(name: str, settings: ChaseSettings) -> PredictorKind:
    about = f"flood the cells ahead with the preset {name!r}"
    return PredictorKind(name, about, lambda cells: Chase(cells, settings=settings), settings)


_BASELINES = (
    PredictorKind("breadcrumbs", "follow the target's own trail", Breadcrumbs, is_omniscient=True, follows_trail=True),
    PredictorKind("true place", "run to where the target is", OmniscientTrail, is_omniscient=True),
    PredictorKind(
        "particle filter", "run to where most of many guesses went", lambda cells: ParticleFilter(cells, threads=1)
    ),
    PredictorKind("dead reckoning", "run on as the target ran", DeadReckoning),
    PredictorKind("last position", "run to where the target was last seen", LastPosition),
    PredictorKind("stand still", "stay", StandStill),
)

PREDICTORS: dict[str, PredictorKind] = {
    **{kind.name: kind for kind in _BASELINES},
    **{name: _chase(name, settings) for name, settings in PRESETS.items()},
}
"""Every predictor by name, the baselines first."""


def predictor_kind(name: str) -> PredictorKind:
    """Return a predictor by name; raise InputError for an unknown one."""
    if not isinstance(name, str) or name not in PREDICTORS:
        names = ", ".join(PREDICTORS)
        raise InputError(f"no predictor {shown(name)}{did_you_mean(name, PREDICTORS)}; predictors: {names}")
    return PREDICTORS[name]
