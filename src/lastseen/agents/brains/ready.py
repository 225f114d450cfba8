"""Ready brains: trees and place queries that come with lastseen, by name."""

from __future__ import annotations

from functools import cache
from importlib import resources

from ...checks import shown
from ...errors import InputError, did_you_mean
from ...reasoning.locations.query import Query
from ...reasoning.locations.query_file import parse_query
from ..behaviour.definition import TreeFile
from ..behaviour.read import parse_trees

__all__ = ["BRAINS", "PUPPET", "brain_text", "place_query", "ready_brain"]

BRAINS = {
    "guard": "guards",
    "civilian": "civilians",
    "runner": "intruders",
    "hider": "intruders",
    "sight_breaker": "intruders",
    "wanderer": "intruders",
    "double_backer": "intruders",
    "roamer": "intruders",
    "brawler": "intruders",
}
"""Ready brains and the team each is of by itself."""

PUPPET = "puppet"
"""An intruder moved from outside: by a player, or by a program."""


def brain_text(name: str) -> str:
    """Return the tree file of a ready brain, to be copied and changed."""
    if not isinstance(name, str) or name not in BRAINS:
        raise InputError(f"no brain {shown(name)}{did_you_mean(name, BRAINS)}; there are {', '.join(BRAINS)}")
    return resources.files(__package__).joinpath("trees", f"{name}.yaml").read_text(encoding="utf-8")


def ready_brain(name: str) -> TreeFile:
    """Return the trees of a ready brain."""
    return _parsed(brain_text(name), f"{name}.yaml")


@cache
def _parsed(text: str, source: str) -> TreeFile:
    return parse_trees(text, "yaml", source=source)


@cache
def place_query(name: str) -> Query:
    """Return a place query that comes with the brains."""
    text = resources.files(__package__).joinpath("places", f"{name}.yaml").read_text(encoding="utf-8")
    return parse_query(text, "yaml", source=f"{name}.yaml")
