"""Predictors as written in scenarios, trees and evaluations: a name, changed settings, and how a guard uses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ...cells.meshed_layout import MeshedLayout
from ...checks import finite_number
from ...errors import InputError, did_you_mean
from ...extensions import is_module_name
from ...layers.tactical_worth import tactical_points, tactical_worth
from ...level.level import Level
from ..input_checks import changes_in
from .baselines import CrumbTrail
from .flood.chase import Chase
from .flood.chase_settings import PREFERRED, ChaseSettings
from .loss import Loss
from .prediction import Predictor
from .predictors import PREDICTORS, PredictorKind, predictor_kind
from .pursuit import Conduct, Pursuit

_EXAMPLE = f"{PREFERRED}:lead=1:weights=front"
_WORTH = ("cover_worth", "hiding_worth", "exit_worth")
"""Settings of tactical worth; see `tactical_worth`."""
_CONDUCT = tuple(one.name for one in fields(Conduct))
_SETTINGS = (*(one.name for one in fields(ChaseSettings)), *_WORTH, *_CONDUCT)


def changed_predictor(
    text: str, common: Mapping[str, Any] | None = None, leave_out: Mapping[str, Any] | None = None
) -> PredictorKind:
    """Return a predictor with its settings changed: `belief:lead=1:weights=front`.

    `my_module:Mine` is imported unless it is known. `common` are settings of all presets; settings named in `leave_out`
    are not the predictor's own.
    """
    head = text.partition(":")[0]
    if head not in PREDICTORS and is_module_name(text):
        return predictor_kind(text)
    kind = predictor_kind(head)
    changes = changes_in(text, "predictor", _EXAMPLE)
    changes = {name: value for name, value in changes.items() if name not in (leave_out or {})}
    if kind.settings is None:
        if changes:
            raise InputError(f"predictor {text!r}: only presets of the chase have settings; leave out the colon")
        return kind
    if twice := [one for one in changes if one in (common or {})]:
        raise InputError(f"{twice[0]} is set by predictor {text!r} and by chase_{twice[0]}; set it in one place")
    try:
        settings = kind.settings.but(**changes, **(common or {}))
    except InputError as error:
        raise InputError(f"predictor {text!r}: {error}") from None
    for setting, why in settings.idle():
        if setting in changes:
            raise InputError(f"predictor {text!r}: {setting} makes no difference {why}; leave it out")
    return replace(kind, name=text, settings=settings, make=lambda cells: Chase(cells, settings=settings))


@dataclass(frozen=True)
class ChaseSpec:
    """A predictor and how a guard uses it, as in `belief:lead=1:exit_worth=3:interval=0.2:most_resets=1`.

    Attributes
    ----------
    text : as written.
    kind : the predictor, with changed settings.
    worth : what cover, hiding places and exits add to the weight of warm cells, by setting; empty: nothing.
    conduct : when the chase restarts, and whether it floods over time.
    """

    text: str
    kind: PredictorKind
    worth: Mapping[str, float] = field(default_factory=dict)
    conduct: Conduct = field(default_factory=Conduct)

    def made(self, cells: MeshedLayout, level: Level) -> Predictor:
        """Return the predictor for the cells of a level."""
        if not self.worth:
            made: Predictor = self.kind.made(cells)
            return made
        weights: dict[str, Any] = {**dict.fromkeys(_WORTH, 0.0), **self.worth, **tactical_points(level)}
        worth = tactical_worth(cells, **weights)
        return Chase(cells, settings=self.kind.settings, worth=worth)

    def crumbs(self) -> CrumbTrail | None:
        """Return an empty trail of crumbs if a guard runs along the target's own path, else None."""
        return CrumbTrail() if self.kind.follows_trail else None

    def pursue(self, predictor: Predictor, loss: Loss) -> Pursuit:
        """Begin a chase with a predictor of this spec."""
        return Pursuit(predictor, loss, self.conduct)


def chase_spec(text: str) -> ChaseSpec:
    """Return a predictor as written in a scenario or a tree, or raise an error that says what is wrong.

    Files do not import code: `my_module:Mine` has to be in use already.
    """
    head = text.partition(":")[0]
    if head not in PREDICTORS and is_module_name(text) and text not in PREDICTORS:
        raise InputError(
            f"the predictor {text!r} is not in use; name it on the command line too, as --predictor {text}; "
            "files do not import code"
        )
    changes = {} if text in PREDICTORS else changes_in(text, "predictor", _EXAMPLE)
    for name in changes:
        if name not in _SETTINGS:
            raise InputError(
                f"predictor {text!r}: no setting {name!r}{did_you_mean(name, _SETTINGS)}; "
                f"settings: {', '.join(_SETTINGS)}"
            )
    worth = {name: finite_number(changes[name], name, low=0.0, high=1e6) for name in _WORTH if name in changes}
    conduct = {name: changes[name] for name in _CONDUCT if name in changes}
    kind = PREDICTORS[text] if text in PREDICTORS else changed_predictor(text, leave_out=worth | conduct)
    if worth and kind.settings is None:
        raise InputError(f"predictor {text!r}: {next(iter(worth))} weighs warm cells, which only floods have")
    if "interval" in conduct and kind.settings is None and not kind.is_omniscient:
        raise InputError(f"predictor {text!r}: interval makes no difference where nothing floods; leave it out")
    return ChaseSpec(text, kind, worth, Conduct(**conduct))
