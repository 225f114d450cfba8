"""Cycles: crews that lead to one another without end, through their own trees or those of their members."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from ...agents.behaviour.files.definition import NodeSpec, TreeFile
from ...agents.crews.crew_trees import requested_by
from ...agents.crews.roles.role import Role

Steps = dict[str, dict[str, str]]
"""By objective, the objectives it leads to, with the place that requests them."""

_IN_TURN = ("guard", "sequence", "reactive_sequence")
"""Nodes whose children run only if the previous ones have succeeded."""


def steps_of_trees(trees: Mapping[str, TreeFile]) -> Steps:
    """Return the objectives that the crews' own trees request."""
    return {
        name: {other: f"{file.source}:{line}" for other, line in requested_by(file) if other in trees}
        for name, file in trees.items()
    }


def steps_of_members(
    steps: Steps, roles: Mapping[str, Sequence[Role]], brains: Mapping[str, Set[str]], files: Mapping[str, TreeFile]
) -> Steps:
    """Add the requests that members make because of a crew's directions, except for the crew itself, which they renew.

    `roles` are by objective; `brains` are the names of the brains its members can have.
    """
    found = {name: dict(others) for name, others in steps.items()}
    for name, theirs in roles.items():
        for brain in sorted(brains.get(name, ())):
            for told, objective, line in _asked_as(files[brain]):
                if objective not in found or objective == name:
                    continue
                role = next((role for role in theirs if all(one.is_true_of(role) for one in told)), None)
                if role is not None:
                    key = next((f"told {one.key!r} as " for one in told if one.key), "")
                    found[name].setdefault(objective, f"{files[brain].source}:{line}, by a member {key}{role.label!r}")
    return found


@dataclass(frozen=True)
class _Told:
    """The directions under which `has_direction` holds: the role and the key; empty: any."""

    role: str
    key: str

    def is_true_of(self, role: Role) -> bool:
        """Return whether a role gives its members this direction."""
        value = role.directions.get(self.key)
        says = value is not None and (value.word is not None or bool(value.written))
        return self.role in ("", role.label) and (not self.key or says)


def _asked_as(file: TreeFile) -> Iterator[tuple[frozenset[_Told], str, int]]:
    """Yield the requests of a brain that only crew members reach: their directions, the objective and the line."""

    def walk(
        node: NodeSpec, told: frozenset[_Told], above: tuple[str, ...]
    ) -> Iterator[tuple[frozenset[_Told], str, int]]:
        name = node.parameters.get("tree", node.parameters.get("")) if node.kind == "subtree" else ""
        if node.kind == "request" and told:
            objective = node.parameters.get("objective", node.parameters.get(""))
            if isinstance(objective, str):
                yield told, objective, node.line
        if isinstance(name, str) and name in file.trees and name not in above:
            yield from walk(file.trees[name].root, told, (*above, name))
        for child in node.children:
            yield from walk(child, told, above)
            if node.kind in _IN_TURN:
                told |= _told_after(child)

    yield from walk(file.trees[file.main].root, frozenset(), (file.main,))


def _told_after(node: NodeSpec) -> frozenset[_Told]:
    """Return the directions a member must have for a node to succeed."""
    if node.kind in _IN_TURN:
        return frozenset(told for child in node.children for told in _told_after(child))
    role, key = node.parameters.get("role", node.parameters.get("", "")), node.parameters.get("key", "")
    if node.kind == "has_direction" and isinstance(role, str) and isinstance(key, str):
        return frozenset({_Told(role, key)})
    return frozenset()


def find_circle(steps: Steps) -> tuple[str, ...]:
    """Return objectives that form a cycle, the first also last; empty if there is none."""
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
