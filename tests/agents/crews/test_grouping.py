"""Who is in which crew."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.agents.crews.grouping import LARGEST, group, leader_of
from lastseen.agents.requests import Request
from oracles.crews import check_groups, check_nobody_passed_over

TEAM = [0] * 30
FIGHT, CHASE = (0, "fight", 20, -1), (0, "chase", 20, -1)


def _asks(agent: int, objective: str = "fight", priority: float = 1.0, target: int = 20) -> Request:
    return Request(objective, target, priority, agent)


def test_those_who_ask_for_the_same_are_one_crew_and_one_alone_is_none() -> None:
    found = group([_asks(4), _asks(1), _asks(2, "chase")], TEAM, {})
    assert found == {FIGHT: (1, 4)}


def test_another_target_or_another_team_is_another_crew() -> None:
    requests = [_asks(0), _asks(1), _asks(2, target=21), _asks(3, target=21), _asks(4), _asks(5)]
    team = [0, 0, 0, 0, 1, 1]
    assert group(requests, team, {}) == {
        (0, "fight", 20, -1): (0, 1),
        (0, "fight", 21, -1): (2, 3),
        (1, "fight", 20, -1): (4, 5),
    }


def test_everybody_goes_with_what_it_wants_most() -> None:
    requests = [_asks(0, "fight", 3.0), _asks(0, "chase", 1.0), _asks(1, "fight", 3.0), _asks(2, "chase", 1.0)]
    requests += [_asks(3, "chase", 1.0)]
    assert group(requests, TEAM, {}) == {FIGHT: (0, 1), CHASE: (2, 3)}


def test_who_finds_nobody_for_what_it_wants_most_takes_what_comes_next() -> None:
    requests = [_asks(0, "fight", 9.0), _asks(0, "chase", 1.0), _asks(1, "chase", 1.0)]
    assert group(requests, TEAM, {}) == {CHASE: (0, 1)}


def test_those_who_all_want_to_be_elsewhere_meet_at_what_they_share() -> None:
    requests = [_asks(0, "a", 3.0), _asks(0, "b", 2.0), _asks(1, "b", 3.0), _asks(1, "c", 2.0)]
    requests += [_asks(2, "c", 3.0), _asks(2, "a", 2.0)]
    assert group(requests, TEAM, {}) == {(0, "a", 20, -1): (0, 2)}


def test_a_crew_has_ten_at_most_and_those_who_are_in_it_stay() -> None:
    requests = [_asks(agent) for agent in range(13)]
    assert group(requests, TEAM, {}) == {FIGHT: tuple(range(LARGEST))}
    current = dict.fromkeys(range(3, 13), FIGHT)
    assert group(requests, TEAM, current) == {FIGHT: tuple(range(3, 13))}


def test_of_two_as_urgent_the_present_crew_counts() -> None:
    requests = [_asks(agent, objective) for agent in range(3) for objective in ("chase", "fight")]
    assert group(requests, TEAM, {}) == {CHASE: (0, 1, 2)}
    assert group(requests, TEAM, dict.fromkeys(range(3), FIGHT)) == {FIGHT: (0, 1, 2)}


def test_who_leads_goes_on_leading_and_else_rank_decides() -> None:
    assert leader_of((2, 5, 7), 5) == 5
    assert leader_of((2, 5, 7), 4) == 2
    assert leader_of((2, 5, 7), 4, {7: 1.0}) == 7


def test_nobody_is_passed_over_by_a_more_urgent_crew_that_has_room() -> None:
    asked = [(0, "fight", 3.0), (0, "chase", 1.0), (2, "talk", 3.0), (3, "fight", 1.0), (3, "chase", 2.0)]
    asked += [(3, "talk", 2.0), (4, "talk", 2.0)]
    found = group([_asks(*one) for one in asked], TEAM, {})
    assert found == {(0, "talk", 20, -1): (2, 3, 4)}


def test_who_is_in_a_crew_leaves_it_for_something_more_urgent_and_the_others_go_on() -> None:
    requests = [_asks(agent, "chase") for agent in range(4)]
    current = dict.fromkeys(range(4), CHASE)
    assert group([*requests, _asks(0, priority=3.0)], TEAM, current) == {CHASE: (0, 1, 2, 3)}
    both = [_asks(0, priority=3.0), _asks(1, priority=3.0)]
    assert group([*requests, *both], TEAM, current) == {CHASE: (2, 3), FIGHT: (0, 1)}
    # One who comes later changes nothing for those who are together, though names come first elsewhere.
    tied = [_asks(agent, objective) for agent in range(3) for objective in ("chase", "fight")]
    assert group([*tied, _asks(3)], TEAM, dict.fromkeys(range(3), FIGHT)) == {FIGHT: (0, 1, 2, 3)}


REQUESTS = st.lists(
    st.builds(
        Request,
        st.sampled_from(["fight", "chase", "search"]),
        st.sampled_from([-1, 20, 21]),
        st.sampled_from([1.0, 2.0, 3.0]),
        st.integers(0, 15),
    ),
    max_size=40,
    unique_by=lambda request: (request.by, request.key),
)


@st.composite
def _crowds(draw: st.DrawFn) -> tuple[list[Request], list[int]]:
    """Return requests of up to 15 agents of two teams: three objectives about somebody or nobody, three urgencies."""
    count = draw(st.integers(2, 15))
    keys = [(objective, target) for objective in ("fight", "chase", "talk") for target in (-1, 0)]
    requests = []
    for agent in range(count):
        for objective, target in draw(st.lists(st.sampled_from(keys), unique=True, max_size=4)):
            priority, since = draw(st.sampled_from([1.0, 2.0, 3.0])), draw(st.sampled_from([0.0, 0.5, 1.0]))
            requests.append(Request(objective, target, priority, agent, since))
    return requests, draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))


@settings(max_examples=200, deadline=None)
@given(_crowds(), st.data())
def test_grouping_again_changes_nothing_and_nobody_is_passed_over(
    crowd: tuple[list[Request], list[int]], data: st.DataObject
) -> None:
    requests, team = crowd
    keys = sorted({(team[one.by], *one.key) for one in requests})
    somewhere = st.dictionaries(st.integers(0, len(team) - 1), st.sampled_from(keys)) if keys else st.just({})
    before = data.draw(somewhere)
    for current in ({}, before):
        found = group(requests, team, current)
        check_groups(found, requests, team)
        check_nobody_passed_over(found, requests, team)
        again = {member: key for key, members in found.items() for member in members}
        assert group(requests, team, again) == found
        assert group(requests[::-1], team, current) == found


@settings(max_examples=100, deadline=None)
@given(REQUESTS, st.data())
def test_one_who_is_gone_leaves_a_grouping_that_still_holds(requests: list[Request], data: st.DataObject) -> None:
    team = [0] * 16
    found = group(requests, team, {})
    current = {member: key for key, members in found.items() for member in members}
    gone = data.draw(st.integers(0, 15))
    left = [request for request in requests if request.by != gone]
    after = group(left, team, current)
    check_groups(after, left, team)
    assert all(gone not in members for members in after.values())
    # A crew that is large enough without it stays together.
    for key, members in found.items():
        rest = [member for member in members if member != gone]
        if gone in members and len(rest) >= 2 and key in after:
            assert set(rest) <= set(after[key])
