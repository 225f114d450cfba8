"""Predictors to be measured, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ...cells.layout import CellLayout
from ...errors import InputError, did_you_mean
from ...reasoning.chase.breadcrumbs import Breadcrumbs
from ...reasoning.chase.chase import Chase
from ...reasoning.chase.dead_reckoning import DeadReckoning
from ...reasoning.chase.losses import Losses
from ...reasoning.chase.particles import ParticleFilter
from ...reasoning.chase.places import LastPosition, OmniscientTrail, StandStill
from ...reasoning.chase.prediction import Predictions
from ...reasoning.chase.settings import PRESETS, ChaseSettings, preset
from .variants import changes_of

__all__ = ["DEFAULT", "FAITHFUL", "Contender", "PredictsMany", "contenders", "predictor_names"]


class PredictsMany(Protocol):
    """What an evaluation asks of a predictor."""

    def predict_many(self, losses: Losses, /) -> Predictions:
        """Where to run now, for each of many losses at once?"""


class _OneThread:
    """A chase that leaves the other cores to other episodes."""

    def __init__(self, cells: CellLayout, settings: ChaseSettings):
        self._chase = Chase(cells, settings=settings)

    def predict_many(self, losses: Losses, /) -> Predictions:
        return self._chase.predict_many(losses, threads=1)


@dataclass(frozen=True)
class Contender:
    """A predictor under its name.

    Attributes
    ----------
    omniscient : it is told where the target really went; an upper bound, not a rival.
    follows_trail : the guard runs along the target's own way instead of the shortest to the place named.
    """

    name: str
    make: Callable[[CellLayout], PredictsMany]
    omniscient: bool = False
    follows_trail: bool = False


FAITHFUL = "article"
"""What all others are compared with: the article's flood."""

_BASELINES = (
    Contender("breadcrumbs", Breadcrumbs, omniscient=True, follows_trail=True),
    Contender("true place", OmniscientTrail, omniscient=True),
    Contender("particle filter", lambda cells: ParticleFilter(cells, threads=1)),
    Contender("dead reckoning", DeadReckoning),
    Contender("last seen", LastPosition),
    Contender("stand still", StandStill),
)


def _flood(name: str) -> Contender:
    """Return the chase of a preset, or of a variant of one: `belief:lead=1:weights=front`."""
    changes = changes_of(name, "predictor", "belief:lead=1:weights=front")
    settings = preset(name.split(":")[0]).but(**changes)
    for setting, why in settings.idle():
        if setting in changes:
            raise InputError(f"predictor {name!r}: {setting} makes no difference {why}; leave it out")
    return Contender(name, lambda cells: _OneThread(cells, settings))


DEFAULT = (
    "breadcrumbs",
    "true place",
    "belief",
    "particle filter",
    "article",
    "no barrier",
    "dead reckoning",
    "last seen",
    "stand still",
)
"""Measured where nothing else is asked for."""


def predictor_names() -> tuple[str, ...]:
    """Names that `contenders` knows: the baselines and every preset of the chase."""
    return tuple(dict.fromkeys([*(one.name for one in _BASELINES), *PRESETS]))


def contenders(names: Sequence[str]) -> tuple[Contender, ...]:
    """Return predictors by name; a preset may be changed: `belief:lead=1`.

    The article's flood is added where it is missing, since all are compared with it.
    """
    baselines = {one.name: one for one in _BASELINES}
    known = predictor_names()
    found = []
    for name in dict.fromkeys([*names, FAITHFUL]):
        if name.split(":")[0] not in known:
            raise InputError(f"no predictor {name!r}{did_you_mean(name, known)}; predictors: {', '.join(known)}")
        if ":" in name and name.split(":")[0] in baselines:
            raise InputError(f"predictor {name!r}: only presets of the chase have settings; leave out the colon")
        found.append(baselines[name] if name in baselines else _flood(name))
    return tuple(found)
