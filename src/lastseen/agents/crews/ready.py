"""Crew trees shipped with lastseen, to copy and change."""

from __future__ import annotations

from functools import cache

from ...shipped import Shipped
from ..behaviour.definition import TreeFile
from ..behaviour.read import parse_trees

__all__ = ["crew_tree_text", "ready_crew_trees", "ready_crews"]

_FILES = Shipped("crew", "lastseen.agents.crews", "trees")


def ready_crews() -> tuple[str, ...]:
    """Return the objectives with a shipped tree."""
    return _FILES.names


def crew_tree_text(objective: str) -> str:
    """Return the tree file of an objective."""
    return _FILES.text(objective)


@cache
def ready_crew_trees() -> dict[str, TreeFile]:
    """Return all shipped trees by objective; the table is shared, do not modify it."""
    return {name: parse_trees(crew_tree_text(name), "yaml", source=f"{name}.yaml") for name in ready_crews()}
