"""Circles: crews that lead to one another without end, by their own trees or by those of their members."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from ...agents.behaviour.definition import NodeSpec, TreeFile
from ...agents.crews.leaves import requested_by

__all__ = ["find_circle", "steps_of_members", "steps_of_trees"]

Steps = dict[str, dict[str, str]]
"""By objective, the objectives it leads to, and by what."""

_IN_TURN = ("guard", "sequence", "reactive_sequence")
"""Nodes of which a child runs only if those before it have succeeded."""


def steps_of_trees(trees: Mapping[str, TreeFile]) -> Steps:
    """Return what the trees of crews themselves ask for."""
    return {
        name: {other: f"{file.source}:{line}" for other, line in requested_by(file) if other in trees}
        for name, file in trees.items()
    }


def steps_of_members(
    steps: Steps, roles: Mapping[str, Set[str]], brains: Mapping[str, Set[str]], files: Mapping[str, TreeFile]
) -> Steps:
    """Add what members ask for because of the role a crew gives them, but for that crew itself, which they only renew.

    `roles` are those of each objective; `brains` those that its members can have, by name.
    """
    found = {name: dict(others) for name, others in steps.items()}
    for name, theirs in roles.items():
        for brain in sorted(brains.get(name, ())):
            for told, objective, line in _asked_as(files[brain]):
                if told & theirs and objective in found and objective != name:
                    role = min(told & theirs)
                    found[name].setdefault(objective, f"{files[brain].source}:{line}, by who is {role!r}")
    return found


def _asked_as(file: TreeFile) -> Iterator[tuple[frozenset[str], str, int]]:
    """Yield the requests of a brain that are reached in certain roles only: the roles, the objective, the line."""

    def walk(node: NodeSpec, told: frozenset[str], above: tuple[str, ...]) -> Iterator[tuple[frozenset[str], str, int]]:
        name = node.parameters.get("tree", node.parameters.get("")) if node.kind == "subtree" else ""
        if node.kind == "request" and told:
            objective = node.parameters.get("objective", node.parameters.get(""))
            if isinstance(objective, str):
                yield told, objective, node.line
        if isinstance(name, str) and name in file.trees and name not in above:
            yield from walk(file.trees[name].root, told, (*above, name))
        for child in node.children:
            yield from walk(child, told, above)
            role = child.parameters.get("role", child.parameters.get(""))
            if node.kind in _IN_TURN and child.kind == "has_direction" and isinstance(role, str):
                told |= {role}

    yield from walk(file.trees[file.main].root, frozenset(), (file.main,))


def find_circle(steps: Steps) -> tuple[str, ...]:
    """Return objectives that lead to one another, the first also last; empty: none do."""
    done: set[str] = set()

    def walk(name: str, before: tuple[str, ...]) -> tuple[str, ...]:
        if name in before:
            return (*before[before.index(name) :], name)
        if name in done:
            return ()
        for other in sorted(steps[name]):
            found = walk(other, (*before, name))
            if found:
                return found
        done.add(name)
        return ()

    return next((found for name in sorted(steps) if (found := walk(name, ()))), ())
