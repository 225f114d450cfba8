"""Potential members of a crew, and checks that scripted requests can form one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from ...agents.behaviour.files.definition import NodeSpec, TreeFile
from ...agents.crews.crew_trees import requested_by
from ...agents.crews.grouping import SMALLEST
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
    """Yield scripted requests in a scenario without crews."""
    for number, incident in script.items():
        if incident.do in _REQUESTS:
            what = f"{incident.do!r} in a scenario without crews"
            yield ("script", number), what, "add `crews: true`, or remove it"


def requests_in_vain(
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
