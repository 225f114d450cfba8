"""The grammar of routes: rules as text, rewriting by hand, and routes that stay walkable and within their cost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.reasoning.placement.guard_routes import GuardRoute, guard_kind
from lastseen.reasoning.placement.place.place import GuardPlanner
from lastseen.reasoning.placement.placement_settings import PlacementSettings
from lastseen.reasoning.placement.route_grammar import GRAMMARS, Rule, Stop, parse_grammar, rewrite
from oracles.placement import hall

LIVELY = GRAMMARS["lively"]


def test_rules_are_read():
    assert parse_grammar("plain") == parse_grammar("") == ()
    assert parse_grammar("lively") == (
        Rule((("stop", 2.0),), 0.3),
        Rule((("stop", 0.0), ("away", 1.0), ("stop", 0.0)), 0.2),
    )
    assert parse_grammar("stop -> stop wait 1 wait 2 away stop : 1") == (
        Rule((("stop", 3.0), ("away", 0.0), ("stop", 0.0)), 1.0),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("livley", "did you mean 'lively'"),
        ("stop -> stop wait 2", "a colon and the chance"),
        ("go -> stop wait 2 : 0.3", "write stop, an arrow"),
        ("stop -> stop wiat 2 : 0.3", "'wiat' is unknown (did you mean 'wait'?)"),
        ("stop -> wait 2 stop : 0.3", "wait needs a place before it"),
        ("stop -> stop wait : 0.3", "seconds after it, up to 3600"),
        ("stop -> stop away : 0.3", "come back to it after each away"),
        ("stop -> stop away away stop : 0.3", "come back to it after each away"),
        ("stop -> stop wait 2 : 1.5", "more than 0 and at most 1"),
        ("lively; stop -> stop wait 2 : 0.5", "rule 1 of the grammar"),
    ],
)
def test_bad_rules_are_refused_by_number(text, words):
    with pytest.raises(InputError) as refused:
        PlacementSettings(grammar=text)
    assert words in str(refused.value)


class Drawn:
    """Gives numbers in order, as a generator does."""

    def __init__(self, *numbers: float):
        self.numbers = list(numbers)

    def random(self, count=None):
        taken = [self.numbers.pop(0) for _ in range(count or 1)]
        return np.array(taken) if count else taken[0]


def test_stops_are_rewritten_by_the_first_rule_whose_chance_comes_up():
    # A: rule 1 waits. B: rule 2 leads to place 9 and back. C: neither.
    drawn = Drawn(0.2, 0.0, 0.9, 0.1, 0.5, 0.9, 0.9)
    route = rewrite([Stop(1), Stop(2, 5.0), Stop(3)], parse_grammar(LIVELY), 1, drawn, lambda _place, _chance: 9)
    assert route == [Stop(1, 2.0), Stop(2, 5.0), Stop(9, 1.0), Stop(2), Stop(3)]
    blocked = rewrite([Stop(2)], parse_grammar(LIVELY), 1, Drawn(0.9, 0.1, 0.5), lambda _place, _chance: None)
    assert blocked == [Stop(2)]


def test_a_guard_waits_before_it_turns():
    # East 2 s, wait 3 s, turn 1 s, west 2 s, turn 1 s.
    kind = guard_kind("walking")
    route = GuardRoute(kind, [(0, 0), (3, 0)], waits=[0.0, 3.0])
    assert route.period == pytest.approx(9.0)
    assert route.pose_at([1.0, 4.9, 5.5, 7.0]).round(6)[:, [0, 3]].tolist() == [
        [1.5, 0.0], [3.0, 0.0], [3.0, round(np.pi / 2, 6)], [1.5, round(-np.pi, 6)]
    ]  # fmt: skip
    merged = GuardRoute(kind, [(0, 0), (3, 0), (3, 0), (0, 0)], waits=[1.0, 2.0, 3.0, 4.0])
    assert merged.waits.tolist() == [5.0, 5.0]
    assert GuardRoute(kind, [(0, 0)], waits=[1.0]).waits.tolist() == []
    for waits in ([1.0], [0.0, -1.0], [0.0, np.nan], [0.0, 4000.0]):
        with pytest.raises(InputError, match=r"0 to 3600 seconds for each of 2 points"):
            GuardRoute(kind, [(0, 0), (3, 0)], waits=waits)


@given(st.integers(0, 10_000), st.integers(1, 4))
@settings(max_examples=15, deadline=None)
def test_rewritten_routes_stay_on_links_and_within_the_cost(planner, seed, rounds):
    chosen = PlacementSettings(candidates=1, grammar=LIVELY, rewrites=rounds)
    walker = planner.with_settings(chosen).candidates.walker
    random = np.random.default_rng(seed)
    walk, route = walker.draw(guard_kind("walking"), random)
    assert walk.cost <= walker.lengths.most + 1e-9
    pairs = {frozenset(pair) for pair in planner.graph.pairs.tolist()}
    steps = zip(walk.nodes.tolist(), np.roll(walk.nodes, -1).tolist())
    assert all(frozenset(step) in pairs for step in steps if step[0] != step[1])
    assert route.length <= walker.lengths.most + 1e-6


@pytest.fixture(scope="module")
def planner() -> GuardPlanner:
    return GuardPlanner(hall(12, 10, (5, 4, 7, 6)), [(0.5, 0.5), (11.5, 0.5)], settings=PlacementSettings(candidates=1))
