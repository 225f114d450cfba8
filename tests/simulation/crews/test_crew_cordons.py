"""Searching what is closed off: guards at chokepoints, a limited number of searchers, others who watch and call."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from lastseen.agents.crews.crew_trees import crew_tree_text
from lastseen.level.sight.query import sees
from lastseen.reasoning.tactical.chokepoints import find_chokepoints
from lastseen.simulation.scenario.reader import scenario_text
from lastseen.simulation.world.world import World
from specimens.crews import Hall
from specimens.worlds import Play

STEP = 0.1
THERE = 1.0
SHOT = (23.0, 12.0, 0.0)


@dataclass(frozen=True)
class Moment:
    """Who has which role, is told to watch from where, stands where, looks where, chose a place to search."""

    time: float
    roles: dict[int, str]
    posts: dict[int, tuple[float, float, float]]
    places: list[tuple[float, float, float]]
    headings: list[float]
    searching: set[int]

    def at_post(self, agent: int) -> bool:
        return math.dist(self.places[agent], self.posts[agent]) <= THERE


class Cordon(Play):
    """A run of the shipped scenario that keeps every moment at which all seven guards search together."""

    def __init__(self, text: str):
        super().__init__(f"step: {STEP}\n{text}")
        self.moments: list[Moment] = []
        self.searchers: list[int] = []

    def look(self, world: World) -> None:
        given = {at: one for at, one in enumerate(world.teamwork.directions) if one is not None}
        self.searchers.append([one.role for one in given.values()].count("search"))
        if (
            max(world.attention.seen) >= 0
            or len(given) < 7
            or world.teamwork.crews is None
            or [*world.teamwork.crews.standing] != [0]
        ):
            return
        posts = {at: one.values["watch"] for at, one in given.items() if "watch" in one.values}
        searching = {event.agent for event in world.events if event.kind == "searches"}
        roles = {at: one.role for at, one in given.items()}
        places = [(x, y, z) for x, y, z in world.bodies.xyz.tolist()]
        self.moments.append(Moment(world.time, roles, posts, places, world.bodies.heading.tolist(), searching))

    def who(self, role: str) -> set[int]:
        """Return who had a role at any moment of the search."""
        return {agent for moment in self.moments for agent, given in moment.roles.items() if given == role}


@cache
def closed_off() -> Cordon:
    play = Cordon(scenario_text("closed_off"))
    play.run(60.0, play.look)
    return play


def test_guards_stand_at_chokepoints_and_stay_there_while_the_search_lasts() -> None:
    play = closed_off()
    holds = play.who("hold")
    found = find_chokepoints(play.world.cells, widest=1.5, around=SHOT, radius=20.0)
    assert len(holds) == 4
    last = play.moments[-1]
    assert last.time - play.moments[0].time > 10.0
    posts = [last.posts[agent] for agent in holds]
    nearest = [int(np.linalg.norm(found.xyz - post, axis=1).argmin()) for post in posts]
    assert len(set(nearest)) == 4, "each at one of its own"
    assert max(math.dist(found.xyz[at], post) for at, post in zip(nearest, posts, strict=True)) < 1e-6
    for agent in holds:
        there = "".join("#" if moment.at_post(agent) else "." for moment in play.moments)
        came, _, stood = there.partition("#")
        assert len(came) * STEP < 8.0, "it ran there"
        assert max(map(len, stood.split("#"))) * STEP < 4.0, "it stays, but lets who searches pass"


def test_never_do_more_search_than_the_limit_and_nobody_without_leave() -> None:
    play = closed_off()
    assert max(play.searchers) == 2
    assert {list(moment.roles.values()).count("search") for moment in play.moments} == {2}
    chose = [(agent, moment.roles.get(agent)) for moment in play.moments[2:] for agent in moment.searching]
    assert len(chose) >= 4
    assert {role for _, role in chose} == {"search"}


def test_an_observer_stands_where_it_sees_the_place_and_watches_it() -> None:
    play = closed_off()
    (observer,) = play.who("observe")
    there = [moment for moment in play.moments if moment.at_post(observer)][10:]
    assert len(there) * STEP > 5.0
    eyes = np.array([moment.places[observer] for moment in there]) + np.array([0.0, 0.0, 1.6])
    assert sees(play.world.sight, eyes, [[23.0, 12.0, 1.2]]).all()
    for moment in there:
        (x, y, _), turned = moment.places[observer], moment.headings[observer]
        assert abs(math.remainder(math.atan2(SHOT[1] - y, SHOT[0] - x) - turned, math.tau)) < 0.2


def test_who_comes_out_of_hiding_is_seen_by_the_observer_who_calls_all() -> None:
    play = closed_off()
    first = play.of_kind("sees")[0]
    assert {first.agent} == play.who("observe")
    (alarm,) = play.of_kind("alarm")
    assert alarm.tick - first.tick <= 0.7 / STEP
    formed = [event for event in play.of_kind("crew") if event.change == "formed"]
    assert [event.objective for event in formed] == ["search", "fight"]
    assert (formed[1].tick - first.tick) * STEP <= 0.8, "the others have been told"
    assert play.outcome.reason == "caught"


NINE = [(4.0, 6.0), (6.0, 6.0), (8.0, 3.0), (3.0, 3.0), (15.0, 9.0), (17.0, 3.0), (5.0, 10.0), (12.0, 10.0), (2.0, 9.0)]


@pytest.mark.parametrize(("name", "most"), [("cordon_search", 2), ("search_alone", 1)])
def test_who_comes_later_than_there_are_posts_stays_and_does_not_search(name: str, most: int) -> None:
    hall = Hall(crew_tree_text(name), NINE, knows=False)
    hall.world.attention.seen = hall.world.attention.noticed = hall.world.attention.calls = [-1] * hall.count
    hall.world.hunt.perceive((10.0, 6.0, 0.0), 0.0, sure=True)
    for agents in (range(2), range(2, 9)):
        hall.ask(agents)
        hall.update()
    given = hall.world.teamwork.directions[: hall.count]
    assert [one is not None and one.values["search"] for one in given].count(True) == most
    assert all(one is not None for one in given), "who is told nothing would search"
    stays = [(at, one) for at, one in enumerate(given) if one is not None and one.role == "stay"]
    assert stays
    assert all(one.values["watch"] == tuple(hall.world.bodies.xyz[at].tolist()) for at, one in stays)
