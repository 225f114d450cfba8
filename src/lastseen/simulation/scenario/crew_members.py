"""Potential members of a crew: agents that request its objective, or are included by a script, a crew or a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...agents.behaviour.definition import NodeSpec, TreeFile
from ...agents.crews.candidates import Candidate
from ...agents.crews.leaves import requested_by
from .scenario import AgentSpec, Incident, Scenario
from .sides import arms_of, team_of

__all__ = ["candidates_of", "crews_of", "led_to", "members_of", "nodes_of"]


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
