"""Predictors to be measured, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from ....cells.layout import CellLayout
from ....errors import InputError
from ....reasoning.chase.flood.chase import Chase
from ....reasoning.chase.flood.chase_settings import ChaseSettings
from ....reasoning.chase.loss import Losses
from ....reasoning.chase.prediction import Predictions
from ....reasoning.chase.predictors import PredictorKind, predictor_kind
from ..harness.parameters import changes_of


class PredictsMany(Protocol):
    """What an evaluation asks of a predictor."""

    def predict_many(self, losses: Losses, /) -> Predictions:
        """Return where to run now, for each of many losses at once."""


class _OneThread:
    """A chase that leaves the other cores to other episodes."""

    def __init__(self, cells: CellLayout, settings: ChaseSettings):
        self._chase = Chase(cells, settings=settings)

    def predict_many(self, losses: Losses, /) -> Predictions:
        return self._chase.predict_many(losses, threads=1)


FAITHFUL = "article"
"""The predictor all others are compared with: the article's flood."""

DEFAULT = (
    "breadcrumbs",
    "true place",
    "belief",
    "particle filter",
    "article",
    "no barrier",
    "dead reckoning",
    "last position",
    "stand still",
)
"""Predictors measured if none are named."""


def contenders(names: Sequence[str]) -> tuple[PredictorKind, ...]:
    """Return predictors by name; the settings of a chase may be changed, as in `belief:lead=1:weights=front`.

    The article's flood is added where it is missing, since all are compared with it.
    """
    return tuple(_contender(name) for name in dict.fromkeys([*names, FAITHFUL]))


def _contender(name: str) -> PredictorKind:
    kind = predictor_kind(name.partition(":")[0])
    if kind.settings is None:
        if ":" in name:
            raise InputError(f"predictor {name!r}: only presets of the chase have settings; leave out the colon")
        return kind
    changes = changes_of(name, "predictor", "belief:lead=1:weights=front")
    settings = kind.settings.but(**changes)
    for setting, why in settings.idle():
        if setting in changes:
            raise InputError(f"predictor {name!r}: {setting} makes no difference {why}; leave it out")
    return replace(kind, name=name, settings=settings, make=lambda cells: _OneThread(cells, settings))
