"""Ranks are unique, follow what the player sees, and events count for a while (36.5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.crews.combat.ranks import Opening, Ranking, RankSettings
from lastseen.errors import InputError


@given(st.lists(st.tuples(st.floats(0.0, 60.0), st.booleans(), st.booleans()), max_size=10))
def test_36_5_8_ranks_are_unique_and_in_order_of_the_scores(people):
    ranking, agents = Ranking(), list(range(len(people)))
    metres, visible, on_screen = ([row[at] for row in people] for at in range(3))
    ranks = ranking.ranks(agents, metres, 0.0, visible=visible, on_screen=on_screen)
    scores = ranking.scores(agents, metres, 0.0, visible=visible, on_screen=on_screen)
    assert sorted(ranks.values()) == list(range(1, len(people) + 1))
    order = sorted(agents, key=ranks.__getitem__)
    assert [(-scores[agent], agent) for agent in order] == sorted((-scores[agent], agent) for agent in order)


@pytest.mark.parametrize("name", ["visible", "aimed_at", "on_screen"])
def test_36_5_8_what_the_player_minds_beats_what_it_does_not(name):
    assert Ranking().ranks([4, 7], [5.0, 5.0], 0.0, **{name: [0, 1]}) == {7: 1, 4: 2}


def test_the_nearer_is_before_and_of_equals_the_lower_number():
    assert Ranking().ranks([4, 7, 2], [5.0, 3.0, 5.0], 0.0) == {7: 1, 2: 2, 4: 3}


def test_36_5_8_an_event_counts_for_its_time():
    ranking = Ranking(RankSettings(events={"damage": (1.0, 6.0)}))
    ranking.note(4, "damage", 10.0)
    ranked = [ranking.ranks([2, 4], [5.0, 5.0], now)[4] for now in (9.9, 10.0, 15.9, 16.0)]
    assert ranked == [2, 1, 1, 2]


def test_who_was_best_stays_so_against_nearly_equals():
    ranking = Ranking(RankSettings(stays=0.2))
    assert ranking.ranks([1, 2], [5.0, 6.0], 0.0)[1] == 1
    assert ranking.ranks([1, 2], [6.0, 5.0], 1.0)[1] == 1
    assert ranking.ranks([1, 2], [15.0, 5.0], 2.0)[2] == 1


def test_36_5_9_at_the_start_the_best_ranked_shoot_and_the_others_seek_cover():
    opening = Opening(shooters=2, seconds=3.0)
    assert [opening.part(rank, 10.0, 12.9) for rank in (1, 2, 3, 4)] == ["shoot", "shoot", "cover", "cover"]
    assert {opening.part(rank, 10.0, 13.0) for rank in (1, 2, 3, 4)} == {"free"}


@pytest.mark.parametrize(
    "call",
    [
        lambda: RankSettings(reach=0.0),
        lambda: RankSettings(near=float("nan")),
        lambda: RankSettings(events={"damage": (1.0,)}),
        lambda: Ranking().note(1, "sneeze", 0.0),
        lambda: Ranking().ranks([1], [float("nan")], 0.0),
        lambda: Opening(shooters=-1),
    ],
)
def test_what_makes_no_sense_is_refused(call):
    with pytest.raises(InputError):
        call()
