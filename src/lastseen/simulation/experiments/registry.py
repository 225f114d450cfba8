"""The experiments that can be evaluated and swept, by name: those of lastseen, and those of other packages.

Another package offers one through an entry point of the group `lastseen.experiments`, or by `register_experiment`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from ...extensions import extension, extension_names

if TYPE_CHECKING:
    from .harness.experiment import Experiment

_SHIPPED = ("chase", "search", "crews", "believability", "opponents", "placement", "verification")
_GROUP = "experiments"


class _Registry(Mapping[str, "Experiment"]):
    """Experiments by name, imported when they are needed."""

    def __init__(self) -> None:
        self._registered: dict[str, Experiment] = {}

    def __getitem__(self, name: str) -> Experiment:
        if name in self._registered:
            return self._registered[name]
        if name in _SHIPPED:
            found = getattr(importlib.import_module(f".{name}.experiment", __package__), name.upper())
        else:
            found = extension(_GROUP, name)
        return _checked(found, f"experiment {name!r}")

    def __contains__(self, name: object) -> bool:
        return any(name == one for one in self)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*_SHIPPED, *extension_names(_GROUP), *self._registered]))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def add(self, experiment: Experiment) -> None:
        """Add an experiment, or replace the one of its name that was registered before."""
        self._registered[experiment.name] = experiment


EXPERIMENTS = _Registry()


def register_experiment(experiment: Experiment) -> Experiment:
    """Make an experiment known by its name in this process, and return it.

    Raises
    ------
    InputError
        It is not an experiment, or has the name of one of lastseen's own.
    """
    _checked(experiment, "experiment")
    if experiment.name in _SHIPPED:
        raise InputError(f"experiment {experiment.name!r} comes with lastseen; give yours another name")
    EXPERIMENTS.add(experiment)
    return experiment


def require_experiments(given: Mapping[str, Experiment]) -> None:
    """Reject anything but a mapping of names to experiments."""
    from ...checks import shown
    from .harness.experiment import Experiment

    if given is EXPERIMENTS:
        return
    if not isinstance(given, Mapping) or not all(isinstance(one, Experiment) for one in given.values()):
        raise InputError(f"experiments is {shown(given)}; give experiments by name, such as {{'mine': MINE}}")


def _checked(found: Any, name: str) -> Experiment:
    from ...checks import instance_of
    from .harness.experiment import Experiment

    return instance_of(found, Experiment, name, "make one with Experiment(...)")
