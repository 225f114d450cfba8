"""The experiments that can be swept, by name."""

from __future__ import annotations

from collections.abc import Mapping

from ....checks import shown
from ....errors import InputError
from .chase_experiment import CHASE
from .experiment import Experiment
from .placement_experiment import PLACEMENT
from .search_experiment import SEARCH
from .verification_experiment import VERIFICATION

__all__ = ["EXPERIMENTS", "require_experiments"]

EXPERIMENTS: dict[str, Experiment] = {one.name: one for one in (CHASE, SEARCH, PLACEMENT, VERIFICATION)}


def require_experiments(given: Mapping[str, Experiment]) -> None:
    """Reject anything but a mapping of names to experiments."""
    if not isinstance(given, Mapping) or not all(isinstance(one, Experiment) for one in given.values()):
        raise InputError(f"experiments is {shown(given)}; give experiments by name, such as {{'mine': MINE}}")
