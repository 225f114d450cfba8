"""Conditions put together: why one does not hold is the same whether or not words are made for what holds."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.crews.roles.vocabulary import RoleWords, read_clause

WORDS = RoleWords()


@WORDS.member
def is_even(mind: object, member: int) -> tuple[bool, str]:
    return member % 2 == 0, f"{member} halves to {member / 2}"


@WORDS.member
def is_above(mind: object, member: int, least: int = 2) -> bool:
    return member > least


@pytest.mark.parametrize(
    "written",
    [
        None,
        "is_even",
        ["is_even", {"is_above": {"least": 1}}],
        {"any": ["is_even", "is_above"]},
        {"not": ["is_even", "is_above"]},
        ["is_above", {"any": ["is_even", {"not": {"is_above": 3}}]}, {"all": ["is_even"]}],
    ],
)
def test_a_refusal_is_what_holds_says(written: object) -> None:
    clause = read_clause(written, WORDS.members, "condition")
    for member in range(6):
        held, why = clause.holds(None, member)
        assert clause.refusal(None, member) == (None if held else why)


def test_a_word_may_answer_with_a_truth_of_numpy() -> None:
    words = RoleWords()
    words.member(lambda mind, member: (np.bool_(member > 2), "low"), name="is_high")
    clause = read_clause(["is_high"], words.members, "condition")
    assert [clause.refusal(None, member) for member in (1, 3)] == ["low", None]
    assert [clause.holds(None, member) for member in (1, 3)] == [(False, "low"), (True, "low")]
