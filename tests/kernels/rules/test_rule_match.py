"""The first rule that facts satisfy: by hand, and as reading every rule one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.rules.rule_match import RuleArrays, first_rules

NUMBERS = [-2.0, -0.5, 0.0, 1.0, 3.0]


def packed(cuts: list[list[float]], rows: list[np.ndarray]) -> RuleArrays:
    """Return the arrays of variables with these cuts; `rows[v]` holds the rules (cells + 1, W) that a cell allows."""
    return RuleArrays(
        np.cumsum([0, *map(len, cuts)]).astype(np.uint32),
        np.array([cut for each in cuts for cut in each], np.float64),
        np.cumsum([0, *map(len, rows)]).astype(np.uint32),
        np.concatenate(rows).astype(np.uint64),
    )


def first(rules: RuleArrays, facts: list[list[float]], allowed: list[int]) -> list[int]:
    found = np.full(len(facts), 99, np.int64)
    first_rules(rules, np.array(facts, np.float64), np.array(allowed, np.uint64), found)
    return found.tolist()


def by_reading(cuts: list[list[float]], rows: list[np.ndarray], facts: list[float], allowed: list[int]) -> int:
    for rule in range(64 * len(allowed)):
        masks = [allowed]
        for each, row, value in zip(cuts, rows, facts):
            below = sum(cut < value for cut in each)
            masks.append(row[-1 if np.isnan(value) else 2 * below + (value in each)].tolist())
        if all(int(mask[rule // 64]) >> rule % 64 & 1 for mask in masks):
            return rule
    return -1


def test_worked_by_hand():
    # Rule 0 asks for a < 1, rule 1 for a == 1, rule 2 for a > 1; rule 3 takes anything, the unknown included.
    rules = packed([[1.0]], [np.array([[0b1001], [0b1010], [0b1100], [0b1000]])])
    facts = [[0.5], [1.0], [2.0], [np.nan]]
    assert first(rules, facts, [0b1111]) == [0, 1, 2, 3]
    assert first(rules, facts, [0b0101]) == [0, -1, 2, -1]
    assert first(rules, facts, [0]) == [-1] * 4


def test_a_rule_of_a_later_word_is_found():
    rules = packed([[]], [np.array([[0, 1 << 63], [0, 0]])])
    assert first(rules, [[4.0], [np.nan]], [2**64 - 1, 2**64 - 1]) == [127, -1]


@given(st.data(), st.integers(1, 4), st.integers(1, 3))
def test_the_first_rule_is_what_reading_all_finds(data, variables, words):
    masks = st.one_of(st.just(2**64 - 1), st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 1 << 40, 1 << 63]))
    cuts = [sorted(data.draw(st.sets(st.sampled_from(NUMBERS)))) for _ in range(variables)]
    rows = [
        np.array(
            [data.draw(st.lists(masks, min_size=words, max_size=words)) for _ in range(2 * len(each) + 2)], np.uint64
        )
        for each in cuts
    ]
    values = st.sampled_from([*NUMBERS, -9.0, 0.5, 9.0, np.nan])
    facts = data.draw(st.lists(st.lists(values, min_size=variables, max_size=variables), min_size=1, max_size=6))
    allowed = data.draw(st.lists(masks, min_size=words, max_size=words))
    expected = [by_reading(cuts, rows, each, allowed) for each in facts]
    assert first(packed(cuts, rows), facts, allowed) == expected


@pytest.mark.parametrize("bit", [0, 1, 31, 62, 63])
def test_every_bit_of_a_word_is_its_rule(bit):
    rules = packed([[]], [np.array([[1 << bit], [0]], np.uint64)])
    assert first(rules, [[0.0]], [2**64 - 1]) == [bit]
