"""Crew trees: the registry of their leaves and nodes, and the trees shipped with lastseen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from ...checks import instance_of
from ...shipped import Shipped
from ..behaviour.files.build import build_tree
from ..behaviour.files.definition import NodeSpec, TreeFile
from ..behaviour.files.read import parse_trees
from ..behaviour.leaf import Leaf
from ..behaviour.registry import Registry
from ..behaviour.status import SUCCESS, Status
from ..behaviour.tree import Tree
from ..brains.leaves import teamwork
from ..limits import Priority, Timespan
from .crew_mind import CrewMind
from .roles.role import Role
from .roles.roles import Roles
from .roles.vocabulary import RoleWords
from .shipped.ambush import Spring
from .shipped.conversation import TakeUpTalk, TalkOn
from .shipped.general import shipped_words
from .shipped.leaves import GiveOrder, GoOn, MarkUnreachable, begin_search, disband, shrug_off


class RequestForAll(Leaf):
    """Post a request on behalf of every member for a next common objective. Always SUCCESS.

    With a higher priority than the members' own requests, it makes them form another crew.
    """

    kind = "request"

    def __init__(self, *, objective: str, priority: Priority = 1.0, seconds: Timespan = 1.0, name: str = ""):
        self.objective, self.priority, self.seconds, self.name = objective, priority, seconds, name

    def details(self) -> str:
        """Return the objective."""
        return self.objective

    def tick(self, mind: CrewMind) -> Status:
        """Post the request."""
        for member in mind.members:
            mind.world.teamwork.requests.post(
                member,
                self.objective,
                mind.crew.target,
                priority=self.priority,
                seconds=self.seconds,
                now=mind.time,
                place=mind.known.place,
            )
        return SUCCESS


class Notify(teamwork.Notify):
    """Post a notice to members under a key; their trees read it with `noticed_by_crew`. Always SUCCESS."""

    def write(self, mind: CrewMind) -> None:
        """Post the notice."""
        mind.notify(self.key, self.value)


@cache
def crew_leaves() -> Registry:
    """Return the shared registry of shipped words; do not modify it (see `leaves_with`)."""
    return leaves_with(shipped_words())


def leaves_with(words: RoleWords) -> Registry:
    """Return a registry whose roles may use these words."""
    words = instance_of(words, RoleWords, "words", "give RoleWords, such as shipped_words()")
    registry = Registry()
    registry.leaf(type("Role", (Role,), {"words": words, "__doc__": Role.__doc__}))
    registry.composite(Roles)
    for leaf in (RequestForAll, Notify, GoOn, TakeUpTalk, TalkOn, MarkUnreachable, GiveOrder, Spring):
        registry.leaf(leaf)
    for action in (begin_search, disband, shrug_off):
        registry.action(action)
    for word in words.crews.values():
        registry.condition(word.function, name=word.name)
    return registry


def crew_tree(file: TreeFile, leaves: Registry | None = None) -> Tree:
    """Return a tree for one crew."""
    return build_tree(file, crew_leaves() if leaves is None else leaves)


def roles_of(tree: Tree) -> tuple[Role, ...]:
    """Return all roles of a tree."""
    return tuple(node for node in tree.nodes if isinstance(node, Role))


def requested_by(file: TreeFile) -> Iterator[tuple[str, int]]:
    """Yield the objectives that the trees of a file request, with their lines."""
    waiting: list[NodeSpec] = [tree.root for tree in file.trees.values()]
    while waiting:
        node = waiting.pop()
        if node.kind in ("request", "spring"):
            objective: Any = node.parameters.get("objective", node.parameters.get(""))
            if isinstance(objective, str):
                yield objective, node.line
        waiting.extend(node.children)


_FILES = Shipped("crew", "lastseen.agents.crews", "trees")


def shipped_crews() -> tuple[str, ...]:
    """Return the objectives with a shipped tree."""
    return _FILES.names


def crew_tree_text(objective: str) -> str:
    """Return the tree file of an objective."""
    return _FILES.text(objective)


@cache
def shipped_crew_trees() -> dict[str, TreeFile]:
    """Return all shipped trees by objective; the table is shared, do not modify it."""
    return {name: parse_trees(crew_tree_text(name), "yaml", source=f"{name}.yaml") for name in shipped_crews()}
