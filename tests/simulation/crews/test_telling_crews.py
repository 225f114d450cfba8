"""Stories tell of crews: who came together for what, and what some of them did; not every role."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastseen.views.prose.story import story_of
from lastseen.vocabulary.events import (
    AnyEvent,
    CrewChange,
    CrewChanged,
    Place,
    RoleChanged,
    ShrugsOff,
    StateChanged,
    Talks,
)
from lastseen.vocabulary.words import AgentState
from specimens.recordings import made

AMES, BELL, YOU = 0, 1, 2


def told(path: Path, *events: AnyEvent) -> list[str]:
    return [sentence.text for sentence in story_of(made(path / "run.rec", events))][:-1]


def crew(tick: int, objective: str, change: CrewChange = CrewChange.FORMED, other: int = -1) -> CrewChanged:
    about = {"crew": 3, "objective": objective, "change": change, "members": (AMES, BELL), "leader": AMES}
    return CrewChanged(tick, AMES, other=other, **about)


def role(tick: int, agent: int, objective: str, given: str, watch: Place | None = None) -> RoleChanged:
    return RoleChanged(tick, agent, crew=3, objective=objective, role=given, watch=watch)


@pytest.mark.parametrize(
    ("objective", "words"),
    [
        ("search", "to search."),
        ("body", "around a fallen colleague."),
        ("fight", "against you."),
        ("dance", "for dance."),
    ],
)
def test_it_is_told_who_came_together_for_what_but_not_that_it_ended(
    tmp_path: Path, objective: str, words: str
) -> None:
    events = [crew(10, objective, other=YOU), crew(90, objective, CrewChange.ENDED, other=YOU)]
    assert told(tmp_path, *events) == [f"Ames and Bell formed a crew {words}"]


def test_orders_and_ways_out_are_told_once_and_other_roles_not_at_all(tmp_path: Path) -> None:
    events = [
        role(10, AMES, "body", "gather"),
        role(20, AMES, "body", "orders"),
        role(20, BELL, "body", "listen"),
        role(40, BELL, "body", "hold", watch=(3.0, 4.0, 0.0)),
        role(50, BELL, "body", ""),
        role(60, BELL, "body", "hold", watch=(3.0, 4.0, 0.0)),
        role(70, AMES, "body", "debrief"),
    ]
    assert told(tmp_path, *events) == [
        "Ames gave orders.",
        "Bell went to guard an exit at (3.0, 4.0).",
        "Ames asked the others what they had found.",
    ]


def test_a_talk_is_told_with_what_was_let_be(tmp_path: Path) -> None:
    events = [
        Talks(10, AMES, speakers=(AMES, BELL), topic="lights"),
        ShrugsOff(20, BELL, stimulus="bottle", crew=3),
        ShrugsOff(23, BELL, stimulus="bottle", crew=3),
        Talks(50, AMES, speakers=(AMES, BELL), topic="lights", resumed=True),
    ]
    assert told(tmp_path, *events) == [
        "Ames and Bell began to talk about lights.",
        "Bell thought nothing of a bottle.",
        "Ames and Bell went on talking about lights.",
    ]


def test_who_is_alert_because_its_crew_says_so_noticed_nothing_itself(tmp_path: Path) -> None:
    def state(tick: int, old: str, new: str, *, told: bool = False) -> StateChanged:
        return StateChanged(tick, BELL, before=AgentState(old), state=AgentState(new), is_told=told)

    assert told(tmp_path, state(10, "patrol", "suspicious", told=True), state(80, "suspicious", "return")) == []
    assert told(tmp_path, state(10, "patrol", "suspicious"), state(80, "suspicious", "return")) == [
        "Bell noticed something.",
        "Bell thought nothing of it.",
    ]
