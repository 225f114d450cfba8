"""Checks of scripted requests: whether enough agents of one team request the same to form a crew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from ...agents.behaviour.definition import TreeFile
from ...agents.crews.candidates import Candidate
from ...agents.crews.grouping import SMALLEST
from ...textforms import Path
from .crew_members import members_of
from .scenario import Incident

__all__ = ["idle_requests", "requests_in_vain"]

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
