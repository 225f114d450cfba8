"""Can what a script asks for ever make a crew: do enough of one team ask for the same?"""

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
"""Where it is in the scenario, what is wrong, and what to do."""


def idle_requests(script: Mapping[int, Incident]) -> Iterator[Fault]:
    """Yield what a script asks for in a scenario without crews."""
    for number, incident in script.items():
        if incident.do in _REQUESTS:
            what = f"{incident.do!r} where there are no crews"
            yield ("script", number), what, "add `crews: true`, or leave it out"


def requests_in_vain(
    trees: Mapping[str, TreeFile],
    candidates: Mapping[int, Candidate],
    brains: Mapping[str, TreeFile],
    script: Mapping[int, Incident],
) -> Iterator[Fault]:
    """Yield what a script asks for and no crew can come of, whoever joins in and whenever.

    Who asks at other times counts: whether they meet is for the run to say.
    """
    asked = {number: incident for number, incident in script.items() if incident.do == "request"}
    for number, incident in asked.items():
        path = ("script", number)
        twice = sorted({name for name in incident.agents if incident.agents.count(name) > 1})
        if twice:
            yield (*path, "agents"), f"{twice[0]!r} is named twice", "name each once"
        if not incident.seconds:
            yield (*path, "seconds"), "a request for 0 s never stands", "give more than 0"
        if incident.objective not in trees or twice:
            continue
        rest = {at: one for at, one in script.items() if one.objective != incident.objective}
        others = members_of(trees, candidates, brains, rest)[incident.objective]
        same = [one for one in asked.values() if (one.objective, one.target) == (incident.objective, incident.target)]
        for name in _alone(incident, same, candidates, others):
            what = f"nobody else of the team of {name!r} can ask for {incident.objective!r} with it"
            advice = f"a crew has at least {SMALLEST} members of one team: name another, or let it draw some (`draws`)"
            yield (*path, "agents"), what, advice


def _alone(
    incident: Incident, same: list[Incident], candidates: Mapping[int, Candidate], others: Set[int]
) -> Iterator[str]:
    """Yield who asks, and has nobody of its team who can ask for the same."""
    by_name = {one.name: one for one in candidates.values()}
    known = {one.name for number, one in candidates.items() if number in others}
    known |= {name for one in same for name in one.agents}
    for name in incident.agents:
        team = {one.name for one in candidates.values() if one.team == by_name[name].team}
        calls = any(one.draws and team & set(one.agents) for one in same)
        if len(team if calls else team & known) < SMALLEST:
            yield name
            return
