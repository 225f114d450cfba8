"""Potential members of crews, requests that can never form one, and crews that request one another in a cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from ...agents.behaviour.files.definition import NodeSpec, TreeFile
from ...agents.crews.crew_trees import requested_by
from ...agents.crews.grouping import SMALLEST
from ...agents.crews.roles.role import Role
from ...agents.crews.roles.vocabulary import Candidate
from ...textforms import Path
from .scenario import AgentSpec, Incident, Scenario, arms_of, team_of


def nodes_of(file: TreeFile) -> Iterator[NodeSpec]:
    """Yield all nodes of the trees of a file, as written."""
    waiting = [tree.root for tree in file.trees.values()]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.children)


def candidates_of(scenario: Scenario, agents: Mapping[int, AgentSpec]) -> dict[int, Candidate]:
    """Return the scenario's data about all agents, by number."""
    found = {}
    for number, spec in agents.items():
        team = team_of(spec)
        arms = arms_of(spec, team) if scenario.combat else "none"
        found[number] = Candidate(spec.name, spec.brain, team, arms)
    return found


def members_of(
    trees: Mapping[str, TreeFile],
    candidates: Mapping[int, Candidate],
    brains: Mapping[str, TreeFile],
    script: Mapping[int, Incident],
) -> dict[str, set[int]]:
    """Return by objective the numbers of all agents that can ever be in a crew for it."""
    found: dict[str, set[int]] = {objective: set() for objective in trees}

    def team(numbers: set[int]) -> set[int]:
        sides = {candidates[number].team for number in numbers}
        return {number for number, one in candidates.items() if one.team in sides}

    for brain, file in brains.items():
        having = {number for number, one in candidates.items() if one.brain == brain}
        calls = {objective for objective, _ in requested_by(file)}
        drawing = {_objective(node) for node in nodes_of(file) if node.kind == "request" and _draws(node)}
        for objective in calls & set(found):
            found[objective] |= team(having) if objective in drawing else having
    for incident in script.values():
        if incident.do == "request" and incident.objective in found:
            named = {number for number, one in candidates.items() if one.name in incident.agents}
            found[incident.objective] |= team(named) if incident.draws else named
    _pass_on(found, trees)
    return found


def _pass_on(found: dict[str, set[int]], trees: Mapping[str, TreeFile]) -> None:
    """Add members of a crew to the crews that its tree requests."""
    changed = True
    while changed:
        changed = False
        for objective, file in trees.items():
            for other, _ in requested_by(file):
                if other in found and not found[objective] <= found[other]:
                    found[other] |= found[objective]
                    changed = True


def _objective(node: NodeSpec) -> object:
    return node.parameters.get("objective", node.parameters.get(""))


def _draws(node: NodeSpec) -> bool:
    return node.parameters.get("draws", 0.0) not in (0, 0.0)


def crews_of(numbers: set[int], candidates: Mapping[int, Candidate]) -> list[list[Candidate]]:
    """Return the largest possible crews, one per team; single agents only if there is no larger crew."""
    teams: dict[str, list[Candidate]] = {}
    for number in sorted(numbers):
        teams.setdefault(candidates[number].team, []).append(candidates[number])
    several = [members for members in teams.values() if len(members) > 1]
    return sorted(several or teams.values(), key=len, reverse=True)


def led_to(asked: set[str], trees: Mapping[str, TreeFile]) -> set[str]:
    """Return the objectives that are requested, directly or by the crew of one that is."""
    found, waiting = set[str](), [objective for objective in asked if objective in trees]
    while waiting:
        objective = waiting.pop()
        if objective not in found:
            found.add(objective)
            waiting += [other for other, _ in requested_by(trees[objective]) if other in trees]
    return found


_REQUESTS = ("request", "end request")
Fault = tuple[Path, str, str]
"""Path in the scenario, what is wrong, and what to do."""


def idle_requests(script: Mapping[int, Incident]) -> Iterator[Fault]:
    """Yield scripted requests, and rows that wait for the end of a crew, in a scenario without crews."""
    for number, incident in script.items():
        waits = incident.when is not None and incident.when.event == "crew ends"
        if incident.do in _REQUESTS or waits:
            what = f"{'crew ends' if waits else incident.do!r} in a scenario without crews"
            yield ("script", number), what, "add `crews: true`, or remove it"


def hopeless_requests(
    trees: Mapping[str, TreeFile],
    candidates: Mapping[int, Candidate],
    brains: Mapping[str, TreeFile],
    script: Mapping[int, Incident],
) -> Iterator[Fault]:
    """Yield scripted requests that can never form a crew, whichever agents join and whenever.

    Requests at other times count too, as only the run shows whether they overlap.
    """
    asked = {number: incident for number, incident in script.items() if incident.do == "request"}
    for number, incident in asked.items():
        path = ("script", number)
        twice = sorted({name for name in incident.agents if incident.agents.count(name) > 1})
        if twice:
            yield (*path, "agents"), f"{twice[0]!r} is named twice", "name each once"
        if not incident.seconds:
            yield (*path, "seconds"), "a request for 0 s never counts", "give more than 0"
        if incident.objective not in trees or twice:
            continue
        rest = {at: one for at, one in script.items() if one.objective != incident.objective}
        others = members_of(trees, candidates, brains, rest)[incident.objective]
        same = [one for one in asked.values() if (one.objective, one.target) == (incident.objective, incident.target)]
        for name in _alone(incident, same, candidates, others):
            what = f"no other agent in the team of {name!r} can request {incident.objective!r} with it"
            advice = f"a crew has at least {SMALLEST} members of one team: name another, or draw some in (`draws`)"
            yield (*path, "agents"), what, advice


def _alone(
    incident: Incident, same: list[Incident], candidates: Mapping[int, Candidate], others: Set[int]
) -> Iterator[str]:
    """Yield an agent whose team has no other agent that can request the same."""
    by_name = {one.name: one for one in candidates.values()}
    known = {one.name for number, one in candidates.items() if number in others}
    known |= {name for one in same for name in one.agents}
    for name in incident.agents:
        team = {one.name for one in candidates.values() if one.team == by_name[name].team}
        calls = any(one.draws and team & set(one.agents) for one in same)
        if len(team if calls else team & known) < SMALLEST:
            yield name
            return


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


def find_cycle(steps: Steps) -> tuple[str, ...]:
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
