"""Names mentioned in crew trees: roles, markers, zones, predictors, states, triggers, notices."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...agents.behaviour.files.definition import NodeSpec, TreeFile
from ...agents.behaviour.ports import Input
from ...agents.brains.surroundings import STATES
from ...agents.crews.roles.role import Role
from ...agents.crews.roles.vocabulary import RoleWords, Word
from ...agents.rules.engine.pack import RulePack
from ...level.level import Level
from ...reasoning.chase.predictors import fair_predictors
from .crew_members import nodes_of

_TRIGGER = "bark.trigger"


@dataclass(frozen=True)
class Mention:
    """A name written in a tree: its line, the node that uses it, and what it should name."""

    line: int
    by: str
    what: str
    name: str


def known_names(level: Level | None, rules: RulePack | None, roles: Collection[str]) -> dict[str, Collection[str]]:
    """Return the existing names by what they name; anything that cannot be known is left out."""
    found: dict[str, Collection[str]] = {"role": roles, "predictor": fair_predictors(), "state": STATES}
    if level is not None:
        found["marker"] = [marker.name for marker in level.markers if marker.name]
        found["marker kind"] = sorted({marker.kind for marker in level.markers})
        found["zone"] = [zone.name for zone in level.zones if zone.name]
        found["zone kind"] = sorted({zone.kind for zone in level.zones})
    spec = None if rules is None else rules.variables.get(_TRIGGER)
    if spec is not None and spec.names:
        found["trigger"] = list(spec.names)
    return found


def mentions(file: TreeFile, roles: Collection[Role], words: RoleWords) -> Iterator[Mention]:
    """Yield all names in the trees of a crew."""
    for node in nodes_of(file):
        if node.kind in words.crews:
            yield from _of_word(node.line, words.crews[node.kind], _written(node, words.crews[node.kind]))
        elif node.kind == "order":
            for what in ("trigger", "role"):
                name = node.parameters.get(what)
                if isinstance(name, str) and name:
                    yield Mention(node.line, "order", what, name)
    for role in roles:
        line = role.file_line
        for clause in (role.may, *(() if role.until is None else (role.until,))):
            for atom in clause.atoms():
                assert atom.word is not None
                yield from _of_word(line, atom.word, atom.parameters)
        if role.places is not None:
            yield from _of_word(line, *role.places)
        said = role.directions.get("say")
        if said is not None and isinstance(said.written, str) and said.written:
            yield Mention(line, f"role {role.label!r}", "trigger", said.written)


def _written(node: NodeSpec, word: Word) -> dict[str, Any]:
    """Return the constant parameters of a condition, by name."""
    first = word.parameters[0].name if word.parameters else ""
    return {(key or first): value for key, value in node.parameters.items() if not isinstance(value, Input)}


def _of_word(line: int, word: Word, parameters: Mapping[str, Any]) -> Iterator[Mention]:
    for parameter, what in word.names.items():
        given = parameters.get(parameter)
        for name in given if isinstance(given, list | tuple) else [given]:
            if isinstance(name, str) and name:
                yield Mention(line, word.name, what, name)


def notices_given(file: TreeFile) -> dict[str, int]:
    """Return the keys of notices that trees post, with their lines."""
    return _keys(file, "notify")


def notices_read(file: TreeFile, roles: Collection[Role] | None = None) -> dict[str, int]:
    """Return the keys of notices that trees read, with their lines; `roles` are given for the trees of a crew."""
    found = _keys(file, "noticed_by_crew" if roles is None else "was_notified")
    for role in roles or ():
        for atom in () if role.until is None else role.until.atoms():
            if atom.word is not None and atom.word.name == "was_notified":
                found.setdefault(atom.parameters["key"], role.file_line)
    return found


def _keys(file: TreeFile, kind: str) -> dict[str, int]:
    found = {}
    for node in nodes_of(file):
        key = node.parameters.get("key", node.parameters.get(""))
        if node.kind == kind and isinstance(key, str):
            found[key] = node.line
    return found
