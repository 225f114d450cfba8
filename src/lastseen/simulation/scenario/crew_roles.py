"""Checks of the roles of crew trees: whether they can be filled, and whether the names they mention exist."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...agents.behaviour.files.definition import NodeSpec, TreeFile
from ...agents.behaviour.ports import Input
from ...agents.behaviour.tree import Tree
from ...agents.brains.surroundings import STATES
from ...agents.crews.crew_trees import roles_of
from ...agents.crews.roles.role import Role
from ...agents.crews.roles.roles import Roles
from ...agents.crews.roles.vocabulary import Candidate, Clause, RoleWords, Word
from ...agents.rules.engine.pack import RulePack
from ...level.check_numbers import points_of
from ...level.level import Level
from ...reasoning.chase.predictors import fair_predictors
from .crew_members import nodes_of

Fault = tuple[Role, str, str]
"""A role, what is wrong with it, and what to do."""
_WALKED_TO = ("stand", "watch")
"""Directions that are places for members to go to."""


def can_take(role: Role, one: Candidate) -> bool:
    """Return whether such a candidate can ever take a role."""

    def can(atom: Clause) -> bool:
        word = atom.word
        return word is None or word.among is None or bool(word.among(one, **atom.parameters))

    return role.may.can_hold(can)


def without_room(tree: Tree, level: Level) -> Iterator[Fault]:
    """Yield each role that needs more places than a level has."""
    for role in roles_of(tree):
        word, parameters = role.places or (None, {})
        room = None if word is None else word.most_places(parameters, level)
        if word is not None and room is not None and room < role.needs:
            what = f"needs {role.needs} place{'s' * (role.needs > 1)}, one per member; {word.name} finds {room}"
            yield role, f"{what} in this level", "lower its 'least', or mark more in the level"


def off_the_level(tree: Tree, level: Level) -> Iterator[Fault]:
    """Yield each role that sends members to a constant place outside a level."""
    points = points_of(level.surface)
    if not len(points):
        return
    (left, low), (right, high) = points[:, :2].min(axis=0).tolist(), points[:, :2].max(axis=0).tolist()
    for role in roles_of(tree):
        for key in [key for key in _WALKED_TO if key in role.directions]:
            place = role.directions[key].written
            if place is not None and not (left <= place[0] <= right and low <= place[1] <= high):
                what = f"sends members to ({place[0]:g}, {place[1]:g}), which is outside the level"
                yield role, what, f"it extends from ({left:g}, {low:g}) to ({right:g}, {high:g}) m: change {key!r}"


def waiting(tree: Tree) -> Iterator[Fault]:
    """Yield each role that requires a previous role which no member can ever get first."""
    roles, begun = roles_of(tree), set[str]()

    def can(atom: Clause) -> bool:
        word = atom.word
        return word is None or not word.awaits or atom.parameters[word.awaits] in begun

    while found := {role.label for role in roles if role.may.can_hold(can)} - begun:
        begun |= found
    known = {role.label for role in roles}
    for role in [role for role in roles if role.label not in begun]:
        awaited = {atom.parameters[atom.word.awaits] for atom in role.may.atoms() if atom.word and atom.word.awaits}
        if awaited <= known:  # Unknown names are reported elsewhere.
            names = " or ".join(map(repr, sorted(awaited - begun)))
            what = f"requires a member that already has {names}, which no member can get first"
            yield role, what, "let its 'may' hold for a member without a role"


def unfillable(tree: Tree, crews: Sequence[Sequence[Candidate]]) -> Iterator[Fault]:
    """Yield each role that no possible crew can fill, why, and what to do; `crews` are sorted, largest first.

    Roles assigned together must be filled together, as a member has at most one role.
    """
    for roles in _given_together(tree):
        if not crews or any(_can_fill(roles, members) for members in crews):
            continue
        members = crews[0]
        alone = list(_lacking(roles, members))
        yield from alone
        if not alone:
            needed = sum(role.needs for role in roles)
            names = " and ".join(repr(role.label) for role in roles if role.needs)
            what = f"is assigned together with others: {names} need {needed} members that can take them"
            yield roles[0], f"{what}; {_said(members)}", "lower 'least' of one of them, or add agents"


def _given_together(tree: Tree) -> Iterator[list[Role]]:
    under: set[int] = set()
    for node in tree.nodes:
        if isinstance(node, Roles):
            roles = [child for child in node.children if isinstance(child, Role)]
            under |= {id(role) for role in roles}
            yield roles
    for node in tree.nodes:
        if isinstance(node, Role) and id(node) not in under:
            yield [node]


def _lacking(roles: Sequence[Role], members: Sequence[Candidate]) -> Iterator[Fault]:
    """Yield the roles that cannot be filled even on their own."""
    for role in roles:
        fit = [one for one in members if can_take(role, one)]
        if role.needs and not fit:
            wanted = ", ".join(dict.fromkeys(word.name for word in role.may.words()))
            what = f"cannot be taken by any agent in this scenario: it requires {wanted}; {_said(members)}"
            yield role, what, "change its 'may', or give an agent what it requires"
        elif len(fit) < role.needs:
            what = f"needs {role.needs} members that can take it; {_said(fit)}"
            yield role, what, "lower its 'least', or add agents"


def _said(members: Sequence[Candidate]) -> str:
    names = ", ".join(one.name for one in members[:10]) + (" …" if len(members) > 10 else "")
    return f"there {'is' if len(members) == 1 else 'are'} {len(members)}: {names}"


def _can_fill(roles: Sequence[Role], members: Sequence[Candidate]) -> bool:
    """Return whether each seat of the roles can get its own member, by augmenting paths (bipartite matching)."""
    seats = [role for role in roles for _ in range(role.needs)]
    fits = [[number for number, one in enumerate(members) if can_take(role, one)] for role in seats]
    holder: dict[int, int] = {}

    def seat_taken(seat: int, tried: set[int]) -> bool:
        for number in fits[seat]:
            if number in tried:
                continue
            tried.add(number)
            if number not in holder or seat_taken(holder[number], tried):
                holder[number] = seat
                return True
        return False

    return all(seat_taken(seat, set()) for seat in range(len(seats)))


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
