"""Predictors by name: the presets of the chase, the baselines, those of other packages and a program's own."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...checks import shown, text_of
from ...errors import InputError, did_you_mean
from ...extensions import extension, extension_names, is_module_name, named_object, own_names, use_own
from .baselines import Breadcrumbs, DeadReckoning, LastPosition, OmniscientTrail, ParticleFilter, StandStill
from .flood.chase import Chase
from .flood.chase_settings import FAITHFUL, PREFERRED, PRESETS, ChaseSettings
from .own_predictor import instance_for, made_for

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

    def __post_init__(self) -> None:
        """Check the name and the function."""
        make: object = self.make  # typed, but not every caller is
        if not callable(make):
            what = f"make of predictor {text_of(self.name, 'name')!r} is {shown(make)}"
            raise InputError(f"{what}; give a class or function that returns the predictor for some cells")

    def made(self, cells: Any) -> Any:
        """Return the predictor for some cells; one without `predict_many` predicts batches one by one."""
        return made_for(self.make, self.name, cells)


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
    """The shipped predictors, and those of other packages and the program's own, which are imported on first use."""

    def __getitem__(self, name: str) -> PredictorKind:
        if name in _SHIPPED:
            return _SHIPPED[name]
        if name in _registered:
            return _registered[name]
        if name in own_names("predictors"):
            return _own_kind(named_object(name, "predictor"), name)
        if name not in extension_names("predictors"):
            raise KeyError(name)
        kind = extension("predictors", name)
        if not isinstance(kind, PredictorKind) or kind.name != name:
            raise InputError(f"predictor {name!r} of another package is {shown(kind)}; give PredictorKind({name!r}, …)")
        if kind.is_omniscient:
            raise InputError(f"predictor {name!r} of another package is omniscient; give one that guards can use")
        return kind

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*_SHIPPED, *extension_names("predictors"), *_registered, *own_names("predictors"))))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return any(name == known for known in self)


PREDICTORS: Mapping[str, PredictorKind] = _Predictors()
"""Every predictor by name: the baselines, the presets, those of other packages, the program's own."""

_registered: dict[str, PredictorKind] = {}


def register_predictor(given: Any, name: str = "") -> PredictorKind:
    """Give a program's own predictor a name, for scenarios, evaluations and the studio of this process.

    Parameters
    ----------
    given : an object with `predict(loss)`, or a class or function that makes one, from cells if it takes an argument.
        `predict` returns a `Prediction`, or just a place (x, y[, z]); `predict_many` is optional.
    name : default: its attribute `name`, else the name of its class.
    """
    kind = _own_kind(given, text_of(name, "name"))
    if kind.name in _SHIPPED or kind.name in extension_names("predictors"):
        raise InputError(f"there is a predictor {kind.name!r} already; give yours another name")
    _registered[kind.name] = kind
    return kind


def _own_kind(given: Any, name: str) -> PredictorKind:
    if isinstance(given, PredictorKind):
        return replace(given, name=name or given.name)
    kind_of = given if inspect.isclass(given) or inspect.isfunction(given) else type(given)
    name = name or str(getattr(given, "name", "") or kind_of.__name__)
    if not callable(getattr(given, "predict", None)) and not inspect.isfunction(given):
        raise InputError(f"predictor {name!r} is {shown(given)}; give an object or a class with predict(loss)")
    about = (inspect.getdoc(kind_of) or "a predictor of your own").partition("\n")[0].rstrip(".")
    return PredictorKind(name, about, partial(instance_for, given, name))


@contextmanager
def predictors_registered(given: Sequence[Any]) -> Iterator[list[str]]:
    """Register those predictors that are objects within the block; yield the names of all."""
    before = dict(_registered)
    try:
        names = [one if isinstance(one, str) else register_predictor(one).name for one in given]
        if twice := [name for name, count in Counter(names).items() if count > 1 and name in _registered]:
            raise InputError(f"two predictors are named {twice[0]!r}; give each object its own attribute `name`")
        yield names
    finally:
        _registered.clear()
        _registered.update(before)


def added_predictors() -> tuple[str, ...]:
    """Return the names of the predictors of other packages and the program's own."""
    return tuple(name for name in PREDICTORS if name not in _SHIPPED)


def fair_predictors() -> tuple[str, ...]:
    """Return the names of the predictors that use only what a guard can know."""
    return tuple(name for name in PREDICTORS if name not in _SHIPPED or not _SHIPPED[name].is_omniscient)


def predictor_kind(name: str) -> PredictorKind:
    """Return a predictor by name, as in "dead reckoning", "dead-reckoning" or "my_module:Mine".

    The last imports `Mine` from a module, which may be in the current folder. Raises InputError for an unknown one.
    """
    if is_module_name(name) and name not in PREDICTORS:
        use_own("predictors", name)
    spaced = name.replace("-", " ").replace("_", " ") if isinstance(name, str) else name
    for spelled in (name, spaced):
        if isinstance(spelled, str) and spelled in PREDICTORS:
            return PREDICTORS[spelled]
    names = ", ".join(PREDICTORS)
    hint = f"{did_you_mean(name, PREDICTORS)}; predictors: {names}, or your own as MODULE:NAME"
    raise InputError(f"no predictor {shown(name)}{hint}")
