"""Crew trees shipped with lastseen, to copy and change."""

from __future__ import annotations

from functools import cache
from importlib import resources

from ...checks import shown
from ...errors import InputError, did_you_mean
from ..behaviour.definition import TreeFile
from ..behaviour.read import parse_trees

__all__ = ["crew_tree_text", "ready_crew_trees", "ready_crews"]

_FILES = resources.files("lastseen.agents.crews") / "trees"


@cache
def ready_crews() -> tuple[str, ...]:
    """Return the objectives with a shipped tree."""
    return tuple(sorted(file.name.removesuffix(".yaml") for file in _FILES.iterdir() if file.name.endswith(".yaml")))


def crew_tree_text(objective: str) -> str:
    """Return the tree file of an objective."""
    names = ready_crews()
    if not isinstance(objective, str) or objective not in names:
        raise InputError(f"no crew {shown(objective)}{did_you_mean(objective, names)}; there are {', '.join(names)}")
    return (_FILES / f"{objective}.yaml").read_text(encoding="utf-8")


@cache
def ready_crew_trees() -> dict[str, TreeFile]:
    """Return all shipped trees by objective; the table is shared, do not modify it."""
    return {name: parse_trees(crew_tree_text(name), "yaml", source=f"{name}.yaml") for name in ready_crews()}
