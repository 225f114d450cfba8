"""Crews form, give out roles, change and end; every decision has a reason."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.crews.crew_trees import shipped_crew_trees
from lastseen.agents.crews.crews import CrewError, Crews
from lastseen.agents.crews.shipped.destinations import guess, openings, slots
from lastseen.agents.requests import RequestBoard
from lastseen.kernels.arrays.agent_arrays import ACTIVE, BODY, GONE, SIGHT
from lastseen.navmesh.query import find_path
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from oracles.crews import best_assignment
from specimens.crews import Hall, told

FIVE = [(4.0, 6.0), (6.0, 6.0), (8.0, 3.0), (14.0, 6.0), (10.0, 9.0)]

PRESS_AND_COVER = """
root:
  roles:
    - role:
        name: press
        most: 2
        prefer: {wanted: 2, near_target: 6, stays: 0.5}
        directions: {attack: true}
    - role:
        name: cover
        least: 0
        prefer: {near_place: 2.0, stays: 0.3}
        places: {slots: {radius: 3.0, count: 8, apart: 1.0}}
        directions: {stand: place, face: target, gait: walk}
"""

ROOMS_TO_CHASE = """
level: warehouse
rules: none
agents:
  - {name: Ames}
  - {name: Bell}
  - {name: Cole, at: [4.5, 4.5]}
  - {name: you, brain: puppet, at: [12.5, 8.5]}
"""


def test_those_who_ask_become_a_crew_and_everybody_gets_one_role_with_a_reason() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE)
    hall.ask([0, 1, 2, 3])
    events = hall.update()
    assert told(hall, events, "crew") == ["crew 0 (fight) is formed: g0, g1, g2, g3"]
    roles = hall.roles()
    assert sorted(roles) == ["g0", "g1", "g2", "g3"]
    assert sorted(roles.values()) == ["cover", "cover", "press", "press"]
    # The two nearest to (10, 6) among them press; g1 and g3 are equally near.
    assert roles["g2"] == "press"
    assert roles["g0"] == "cover"
    reasons = {
        event.agent: hall.world.teamwork.directions[event.agent].reason for event in events if event.kind == "role"
    }
    assert all(why.startswith(f"{hall.world.teamwork.directions[agent].role}: ") for agent, why in reasons.items())
    assert any("m to its place" in why and "slot" in why for why in reasons.values())
    cover = next(one for one in hall.world.teamwork.directions if one is not None and one.role == "cover")
    assert cover.values["gait"] == "walk"
    assert math.dist(cover.values["stand"][:2], (10.0, 6.0)) == pytest.approx(3.0, abs=0.3)
    assert cover.values["face"][:2] == (10.0, 6.0)


def test_one_alone_is_told_nothing() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE)
    hall.ask([2])
    assert hall.update(3) == []
    assert hall.world.teamwork.directions == [None] * 6


def test_nobody_comes_together_about_one_who_is_gone_but_who_is_together_finds_out_by_itself() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE)
    hall.world.bodies.mode[hall.target] = GONE
    hall.ask([0, 1])
    assert hall.update(3) == []
    assert hall.crews.standing == {}
    hall.world.bodies.mode[hall.target] = ACTIVE
    assert told(hall, hall.update(), "crew") == ["crew 0 (fight) is formed: g0, g1"]
    hall.world.bodies.mode[hall.target] = GONE
    hall.ask([2])
    assert told(hall, hall.update(), "crew") == ["g2 joins crew 0 (fight)"]
    # A colleague who is gone is missed.
    hall.world.bodies.mode[4] = GONE
    for agent in (0, 1):
        hall.world.teamwork.requests.post(agent, "chase", 4, priority=2.0, seconds=100.0, now=hall.world.time)
    assert "crew 1 (chase) is formed: g0, g1" in told(hall, hall.update(), "crew")


def test_no_two_share_a_place_and_no_other_sharing_out_is_better() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE)
    hall.ask(range(5))
    hall.update()
    given = hall.world.teamwork.directions[:5]
    slots = [one.slot for one in given if one.role == "cover"]
    assert len(slots) == len(set(slots)) == 3
    # The same question with all ways tried: nobody had a role before, so that nothing stays.
    mind = next(iter(hall.crews._minds.values()))
    role = mind.crew.tree.find("cover")
    mind.crew.given = {}
    places = role.found_places(mind)
    feet, middle = hall.world.bodies.xyz[:5], hall.world.bodies.xyz[5]
    press = 2.0 + 6.0 * 10.0 / (10.0 + np.linalg.norm(feet - middle, axis=1))
    cover = 2.0 * 10.0 / (10.0 + np.linalg.norm(feet[:, None] - places.xyz[None], axis=2))
    scores = np.concatenate([press[:, None], cover], axis=1) + 10.0
    count = len(places)
    _, best = best_assignment(scores[:, :5], [0] + [1] * 4, [2] + [1] * 4, [1, 0], [2, 10])
    total = sum(
        scores[at, 0 if one.role == "press" else 1 + places.number.tolist().index(one.slot)]
        for at, one in enumerate(given)
    )
    assert total >= best - 1e-5
    assert count == 8


def test_roles_stay_with_who_has_them_while_a_change_gains_less_than_it_costs() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE)
    hall.ask(range(5))
    hall.update()
    before, slots = hall.roles(), [one.slot for one in hall.world.teamwork.directions[:5]]
    wobble = np.random.default_rng(0)
    start = hall.world.bodies.xyz[:5].copy()
    for _ in range(40):
        hall.world.bodies.xyz[:5] = start + wobble.uniform(-0.3, 0.3, (5, 3)) * (1.0, 1.0, 0.0)
        hall.see()
        assert told(hall, hall.update(), "role") == []
    assert hall.roles() == before
    assert [one.slot for one in hall.world.teamwork.directions[:5]] == slots


def test_without_a_cost_of_changes_roles_go_to_whoever_is_nearer() -> None:
    tree = "root: {roles: [{role: {name: press, most: 1, prefer: {near_target: 2.0}}}]}"
    hall = Hall(tree, [(8.0, 6.0), (12.5, 6.0)])
    hall.ask([0, 1])
    hall.update()
    assert hall.roles() == {"g0": "press"}
    hall.world.bodies.xyz[1, 0] = 11.5
    events = hall.update()
    assert hall.roles() == {"g1": "press"}
    assert told(hall, events, "role") == [
        "g0 loses the role press: the crew has no role for it",
        "g1: press: 1.5 m from it",
    ]


def test_members_join_and_leave_and_a_crew_of_one_is_over() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE)
    hall.ask([0, 1])
    hall.update()
    hall.ask([4])
    assert told(hall, hall.update(), "crew") == ["g4 joins crew 0 (fight)"]
    assert "g4" in hall.roles()
    hall.world.teamwork.requests.withdraw(0)
    assert told(hall, hall.update(), "crew") == ["g0 leaves crew 0 (fight): no longer requests it"]
    assert hall.world.teamwork.directions[0] is None
    hall.world.teamwork.requests.withdraw(4)
    assert told(hall, hall.update(), "crew") == ["crew 0 (fight) is over: too few request it"]
    assert hall.roles() == {}
    assert hall.crews.standing == {}
    assert hall.world.teamwork.notices == {}


@pytest.mark.parametrize("mode", [BODY, GONE])
def test_a_member_lost_in_mid_role_is_replaced_and_remembered(mode: int) -> None:
    tree = """
root:
  roles:
    - role: {name: lead, least: 1, most: 1, prefer: {leads: 1.0, stays: 5.0}}
    - role: {name: hunt, least: 0, until: {lost_members: 1}}
"""
    hall = Hall(tree, FIVE)
    hall.ask([0, 1, 2])
    hall.update()
    assert hall.roles() == {"g0": "lead", "g1": "hunt", "g2": "hunt"}
    hall.world.bodies.mode[0] = mode
    events = hall.update()
    assert told(hall, events, "crew") == ["g0 leaves crew 0 (fight): can no longer act"]
    assert "g0 loses the role lead: can no longer act" in told(hall, events, "role")
    crew = hall.crews.standing[0]
    assert (crew.lost, crew.leader, crew.members) == ([0], 1, (1, 2))
    assert hall.roles() == {"g1": "lead"}
    assert crew.tree.find("hunt").reason == "lost 1"


def test_when_all_but_one_are_lost_the_crew_is_over() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE)
    hall.ask([0, 1])
    hall.update()
    hall.world.bodies.mode[1] = BODY
    assert told(hall, hall.update(), "crew") == ["crew 0 (fight) is over: g1 can no longer act"]
    assert hall.roles() == {}


FLANK_OR_GIVE_UP = """
root:
  selector:
    - guard:
        - invert: [{lost_from: {role: flank}}]
        - roles: [{role: {name: flank, most: 1, prefer: {near_target: 6, stays: 2}}}, {role: {name: stay, least: 0}}]
    - sequence: [mark_unreachable, {roles: [{role: {name: hold, least: 0}}]}]
"""


def test_a_crew_of_two_that_loses_its_flanker_thinks_once_more_before_it_is_over() -> None:
    hall = Hall(FLANK_OR_GIVE_UP, FIVE[:2])
    hall.ask([0, 1])
    hall.update()
    crew, flanker = hall.crews.standing[0], {role: name for name, role in hall.roles().items()}["flank"]
    lost = hall.world.names.index(flanker)
    hall.world.bodies.mode[lost] = BODY
    events = hall.update()
    assert crew.lost_as[lost][0] == "flank"
    assert told(hall, events, "unreachable") == [
        f"crew 0 (fight) gives up the area around you: {flanker} did not get through"
    ]
    assert told(hall, events, "crew") == [f"crew 0 (fight) is over: {flanker} can no longer act"]
    ended = [event for event in events if event.kind == "role" and event.agent == lost]
    assert [(event.role, event.before) for event in ended] == [("", "flank")]
    assert hall.world.teamwork.directions == [None] * len(hall.world.names)
    assert hall.crews.standing == {}


def test_a_crew_that_is_left_by_one_who_can_act_does_not_think_of_a_loss() -> None:
    hall = Hall(FLANK_OR_GIVE_UP, FIVE[:2])
    hall.ask([0, 1])
    hall.update()
    hall.world.teamwork.requests.withdraw(0)
    assert not [event for event in hall.update() if event.kind == "unreachable"]
    assert hall.crews.standing == {}


def test_a_role_nobody_can_take_fails_and_the_tree_finds_another_way() -> None:
    tree = """
root:
  selector:
    - roles:
        - role: {name: rush, least: 2, may: [{is_near: {metres: 0.5}}]}
        - role: {name: wait, least: 0}
    - roles: [{role: {name: hold, least: 0}}]
"""
    hall = Hall(tree, FIVE)
    hall.ask([0, 1, 2])
    hall.update()
    assert set(hall.roles().values()) == {"hold"}
    rush = hall.crews.standing[0].tree.find("rush")
    assert rush.reason == "needs 2, has 0 members; g0: 6.0 m away"


def test_roles_that_together_need_more_than_there_are_fail_without_a_word_to_anybody() -> None:
    tree = "root: {roles: [{role: {name: a, least: 2}}, {role: {name: b, least: 2}}]}"
    hall = Hall(tree, FIVE)
    hall.ask([0, 1, 2])
    hall.update()
    assert hall.roles() == {}
    assert "lack 1" in hall.crews.standing[0].tree.find("a").reason


def test_a_role_without_places_to_stand_has_nobody_and_fails_if_it_needs_some() -> None:
    places = "places: {markers: {kind: camera}}, directions: {stand: place}"
    hall = Hall(f"root: {{roles: [{{role: {{name: watch, least: 0, {places}}}}}]}}", FIVE)
    hall.ask([0, 1])
    hall.update()
    assert hall.roles() == {}
    assert hall.crews.standing[0].tree.find("watch").reason == "nobody"
    hall = Hall(f"root: {{roles: [{{role: {{name: watch, least: 1, {places}}}}}]}}", FIVE)
    hall.ask([0, 1])
    hall.update()
    assert hall.crews.standing[0].tree.find("watch").reason == "needs 1, has 0 places"


def test_a_role_is_over_once_its_end_has_come_and_begins_anew_with_its_parent() -> None:
    tree = "root: {roles: [{role: {name: press, least: 0, until: {target_lost: 0.05}}}]}"
    hall = Hall(tree, FIVE)
    hall.ask([0, 1])
    hall.update()
    assert set(hall.roles().values()) == {"press"}
    hall.world.attention.seen = [-1] * 5
    hall.update(3)
    assert hall.roles() == {}
    assert hall.crews.standing[0].tree.root.status.name == "SUCCESS"
    hall.see()
    hall.update()
    assert set(hall.roles().values()) == {"press"}


def test_two_roles_nodes_never_tell_one_member_two_things() -> None:
    tree = """
root:
  parallel_all:
    - roles: [{role: {name: first, most: 2, prefer: {near_target: 1.0}}}]
    - roles: [{role: {name: second, least: 0}}]
"""
    hall = Hall(tree, FIVE)
    hall.ask(range(5))
    hall.update()
    assert sorted(hall.roles().values()) == ["first", "first", "second", "second", "second"]


def test_roles_are_filled_as_far_as_members_may_whatever_scores_say_against_it() -> None:
    one = "{role: {name: a, least: 1, most: 2, prefer: {wanted: -100, near_target: 1.0}}}"
    other = "{role: {name: b, least: 0, prefer: {wanted: -200}}}"
    hall = Hall(f"root: {{roles: [{one}, {other}]}}", FIVE)
    hall.ask(range(5))
    hall.update()
    assert sorted(hall.roles().values()) == ["a", "a", "b", "b", "b"]


def test_how_a_crew_ended_is_told_by_whom_it_was_ended() -> None:
    hall = Hall(
        "root: {sequence: [{force_success: [{time_limit: {seconds: 0.5, child: {role: {name: a}}}}]}, disband]}", FIVE
    )
    hall.ask([0, 1])
    texts = [text for _ in range(40) for text in told(hall, hall.update(), "crew")]
    assert texts == ["crew 0 (fight) is formed: g0, g1", "crew 0 (fight) is over: its tree ended it"]


def test_a_more_urgent_request_makes_another_crew_of_the_same_people() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE)
    hall.ask([0, 1, 2])
    hall.update()
    hall.ask([0, 1], "chase", priority=5.0)
    events = hall.update()
    assert told(hall, events, "crew") == [
        "crew 0 (fight) is over: too few request it",
        "crew 1 (chase) is formed: g0, g1",
    ]
    assert hall.crews.crew_of(2) is None
    assert hall.crews.crew_of(0) is hall.crews.standing[1]


def test_a_crew_may_ask_for_the_next_thing_to_be_done_together() -> None:
    tree = "root: {request: {objective: chase, priority: 9, seconds: 5}}"
    hall = Hall(tree, FIVE)
    hall.ask([0, 1], seconds=0.01)
    hall.update(2)
    assert [crew.objective for crew in hall.crews.standing.values()] == ["chase"]


def test_notices_go_both_ways() -> None:
    tree = "root: {guard: {children: [{was_notified: {key: noise}}, {notify: {key: heard, value: 3}}]}}"
    hall = Hall(tree, FIVE)
    hall.ask([0, 1])
    hall.update()
    assert hall.world.teamwork.notices == {0: {}}
    hall.world.teamwork.notices[0]["noise"] = (True, hall.world.time)
    hall.update()
    assert hall.world.teamwork.notices[0]["heard"][0] == 3


def test_crews_take_turns_to_think_but_think_at_once_when_members_come() -> None:
    hall = Hall("root: {roles: [{role: {name: a, least: 0}}]}", FIVE, every=0.2)
    hall.ask([0, 1])
    thoughts: list[float] = []
    hall.update()
    crew = hall.crews.standing[0]
    original = crew.tree.tick
    crew.tree.tick = lambda mind: (thoughts.append(round(mind.time * 30)), original(mind))[1]
    hall.update(14)
    assert thoughts == [1, 7, 13]
    count = len(thoughts)
    hall.ask([2])
    hall.update()
    assert len(thoughts) == count + 1
    assert hall.roles() == {"g0": "a", "g1": "a", "g2": "a"}


def test_a_crew_that_knows_nothing_of_its_target_still_thinks() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE, knows=False)
    hall.world.attention.seen = [-1] * 5
    hall.ask([0, 1])
    hall.update()
    crew = hall.crews.standing[0]
    assert hall.crews._minds[0].known.place is None
    assert sorted(hall.roles().values()) == ["press", "press"]
    assert crew.tree.find("cover").reason == "nobody"


def test_a_tree_that_raises_names_the_crew_and_the_node() -> None:
    hall = Hall("root: {roles: [{role: {name: a, places: {guess: {predictor: tarot}}}}]}", FIVE)
    hall.ask([0, 1])
    with pytest.raises(CrewError, match=r"(?s)crew 0 \(fight\).*tarot") as caught:
        hall.update()
    assert caught.value.path == "roles/a"
    assert caught.value.leader == 0


def test_slots_go_along_with_the_target_and_keep_off_walls() -> None:
    hall = Hall(PRESS_AND_COVER, FIVE)
    hall.ask(range(5))
    hall.update()
    mind = hall.crews._minds[0]
    first = slots(mind, radius=3.0)
    hall.world.bodies.xyz[5, 0] += 0.5
    hall.see()
    mind.begin()
    assert np.allclose(slots(mind, radius=3.0).xyz - first.xyz, (0.5, 0.0, 0.0))
    hall.world.bodies.xyz[5] = (1.0, 6.0, 0.0)
    hall.see()
    mind.begin()
    polled = slots(mind, radius=3.0)
    assert (polled.xyz[:, 0] > 0.2).all()


def test_ways_out_are_cut_off_but_for_the_one_that_is_followed() -> None:
    world = make_world(parse_scenario(ROOMS_TO_CHASE))
    world.teamwork.requests = RequestBoard()
    world.teamwork.crews = Crews(shipped_crew_trees(), every=0.0)
    know, count = world.knowledge.arrays, 3
    know.xyz[:count, 0] = world.bodies.xyz[3]
    know.direction_xy[:count, 0] = (1.0, 0.0)
    know.time[:count, 0], know.source[:count, 0] = world.time, SIGHT
    world.attention.seen = [-1] * count
    for agent in range(count):
        world.teamwork.requests.post(agent, "chase", 3, seconds=60.0)
    world.teamwork.crews.update(world)
    given = world.teamwork.directions[:count]
    assert sorted(one.role for one in given if one is not None) == ["cut off", "follow", "follow"]
    cut = next(one for one in given if one is not None and one.role == "cut off")
    mind = world.teamwork.crews._minds[0]
    ran, found = guess(mind), openings(mind, guessed=True)
    assert len(found) >= 2
    nearest = found.xyz[np.linalg.norm(found.xyz - ran.xyz[0], axis=1).argmin()]
    assert math.dist(cut.values["stand"], nearest) > 1.0
    assert "way out" in cut.reason
    assert find_path(world.cells.mesh, world.bodies.xyz[0], cut.values["stand"]).reached
    # Seen again, all keep their roles and places, so that a glimpse does not scatter the crew.
    world.attention.seen = [0] * count
    world.time += 1.0
    world.teamwork.crews.update(world)
    kept = world.teamwork.directions[:count]
    assert [(one and one.role, one and one.slot) for one in kept] == [
        (one and one.role, one and one.slot) for one in given
    ]


def test_who_is_seen_again_is_not_lost_though_records_are_renewed_a_reaction_later() -> None:
    tree = "root: {reactive_selector: [{guard: [{target_lost: 1}, {role: {name: follow}}]}, {role: {name: press}}]}"
    hall = Hall(tree, FIVE)
    hall.ask([0, 1])
    hall.world.attention.seen = [-1] * 5
    hall.update(29)
    assert set(hall.roles().values()) == {"press"}
    hall.update(3)
    assert set(hall.roles().values()) == {"follow"}
    hall.world.attention.seen[1] = 0
    hall.update()
    assert set(hall.roles().values()) == {"press"}
    mind = hall.crews._minds[0]
    assert mind.known.time == 0.0
    assert mind.age == 0.0
