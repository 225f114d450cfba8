"""Every kind of event has one sentence, and comes back from its JSON as it was."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lastseen.views.prose.sentences import SENTENCES, Sentences
from lastseen.vocabulary import events as kinds

NAMES = ("Ames", "Bell", "you")
PLACE = (1.0, 2.0, 0.0)
MISS = kinds.NearMiss("late", (kinds.FailedCondition("time.seconds", ">", 60, 1.5),))
KNOWN = kinds.KnownTarget(2, (10.0, 4.0, 0.0), 0.5, "sight")


def test_every_kind_has_a_sentence_and_no_sentence_is_left_over() -> None:
    assert set(SENTENCES) == set(kinds.KINDS.values())


@pytest.mark.parametrize("kind", kinds.KINDS.values(), ids=lambda kind: kind.__name__)
def test_an_event_comes_back_from_its_json_and_says_something(kind: type[Any]) -> None:
    given: dict[str, Any] = {
        "other": 2,
        "at": PLACE,
        "line": "Who is there?",
        "action": "smoke",
        "reason": "caught",
        "speakers": (0, 1),
    }
    fields = set(kind.__struct_fields__) - (set() if kind is kinds.Ended else {"reason"})
    event = kind(7, 0, **{name: value for name, value in given.items() if name in fields})
    again = msgspec.json.decode(msgspec.json.encode(event), type=kinds.AnyEvent)
    assert again == event
    assert type(again) is kind
    assert again.kind == kind.__struct_config__.tag
    assert Sentences(NAMES)(event)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (kinds.Heard(1, 0, sound="explosion"), "an explosion is heard"),
        (
            kinds.Predicted(1, 0, PLACE, metres=3.2, reason="own"),
            "Ames runs to (1.0, 2.0), 3 m away: your own predictor chose it",
        ),
        (kinds.GivesUp(1, 0, state="search"), "Ames gives up"),
        (kinds.GivesUp(1, 0, reason=kinds.SearchEnd.NO_SPOT), "Ames gives up: no spot is left"),
        (kinds.DoorMoved(1, 0, door=2, shut=True), "door 3 shut"),
        (kinds.SearchStarted(1, mode="aggressive"), "an aggressive search starts"),
        (kinds.RoleChanged(1, 0, role="flank"), "Ames: flank"),
        (
            kinds.RoleChanged(
                1, 0, before="flank", loss=kinds.RoleLoss.CREW_ENDED, departure=kinds.Departure.LOST, lost=(1,)
            ),
            "Ames loses the role flank: the crew is over: Bell can no longer act",
        ),
        (kinds.Ended(1, 0, other=2, reason="found", spot="locker"), "Ames found you in locker"),
        (kinds.Ended(1, 0, other=2, reason="beaten"), "you went down, beaten by Ames"),
        (kinds.Ended(1, reason="won"), "won"),
        (
            kinds.Ended(1, 0, PLACE, reason="brain failed", error="oh", state="patrol", knew=(KNOWN,)),
            "Ames: oh; it was at (1.0, 2.0), patrol; it knew of you at (10.0, 4.0) 0.5 s ago (sight)",
        ),
        (
            kinds.Ended(1, 0, PLACE, reason="brain failed", error="oh", state="patrol"),
            "Ames: oh; it was at (1.0, 2.0), patrol; it watched no one",
        ),
    ],
)
def test_sentences(event: kinds.AnyEvent, sentence: str) -> None:
    assert Sentences(NAMES)(event) == sentence


def test_a_role_is_told_with_its_reason_where_that_is_known() -> None:
    of = Sentences(NAMES, lambda tick, agent: f"flank: {tick} and {agent}")
    assert of(kinds.RoleChanged(3, 1, role="flank")) == "Bell: flank: 3 and 1"


def test_pages_get_the_fields_of_an_event_with_sentences() -> None:
    said = kinds.Said(3, 1, line="Who is there?", rule="see", near=(MISS,))
    assert Sentences(NAMES).as_object(said) == {
        "kind": "said",
        "tick": 3,
        "agent": 1,
        "line": "Who is there?",
        "rule": "see",
        "near": [{"rule": "late", "text": "time.seconds > 60: time.seconds is 1.5"}],
        "text": "Who is there?",
    }
