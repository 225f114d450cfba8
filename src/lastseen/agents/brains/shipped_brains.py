"""Shipped brains: trees and place queries that come with lastseen, by name."""

from __future__ import annotations

from functools import cache

from ...reasoning.locations.query import Query, parse_query, shipped_queries, shipped_query
from ...shipped import Shipped
from ..behaviour.files.definition import TreeFile
from ..behaviour.files.read import parse_trees

BRAINS = {
    "guard": "guards",
    "teleporter": "guards",
    "summoner": "guards",
    "tracker": "guards",
    "vine": "guards",
    "civilian": "civilians",
    "runner": "intruders",
    "hider": "intruders",
    "shadow": "intruders",
    "sight_breaker": "intruders",
    "wanderer": "intruders",
    "double_backer": "intruders",
    "roamer": "intruders",
    "brawler": "intruders",
    "trickster": "intruders",
    "trapper": "intruders",
    "thief": "intruders",
    "ghost": "intruders",
    "outrunner": "intruders",
    "deceiver": "intruders",
    "timekeeper": "intruders",
    "body_thief": "intruders",
    "traveller": "intruders",
}
"""Shipped brains and their default teams."""

STYLES = ("ghost", "outrunner", "deceiver")
"""Brains of intruders worth chasing: one avoids being seen, one outruns guards, one tricks them."""

PUPPET = "puppet"
"""Brain of an intruder that is moved from outside, by a player or a program."""


_TREES = Shipped("brain", "lastseen.agents.brains", "trees", names=BRAINS)
_PLACES = Shipped("place query", "lastseen.agents.brains", "places")
PLACE_QUERIES = tuple(sorted((*_PLACES.names, *shipped_queries())))
"""Names of the shipped place queries."""


def brain_text(name: str) -> str:
    """Return the tree file of a shipped brain, to be copied and changed."""
    return _TREES.text(name)


def shipped_brain(name: str) -> TreeFile:
    """Return the trees of a shipped brain."""
    return _parsed(brain_text(name), f"{name}.yaml")


@cache
def _parsed(text: str, source: str) -> TreeFile:
    return parse_trees(text, "yaml", source=source)


@cache
def place_query(name: str) -> Query:
    """Return a shipped place query: one that comes with the brains, or one for any asker."""
    if name in shipped_queries():
        return shipped_query(name)
    return parse_query(_PLACES.text(name), "yaml", source=f"{name}.yaml")
