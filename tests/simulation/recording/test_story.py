"""A story says what happened, in order, without noise and without saying what did not happen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lastseen.errors import RecordingError
from lastseen.level.samples import sample
from lastseen.level.write import to_geojson
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.world.place_names import PlaceNames, the
from lastseen.views.prose.story import story_of
from lastseen.vocabulary.events import (
    AlarmRaised,
    AnyEvent,
    CameOut,
    Heard,
    Lost,
    Missing,
    Opened,
    Placed,
    Predicted,
    Searches,
    Sees,
    StateChanged,
    Threw,
)
from lastseen.vocabulary.words import AgentState
from specimens.recordings import LOST, made, recorded

AMES, BELL, YOU = 0, 1, 2


def told(path: Path, *events: AnyEvent, **more: object) -> list[str]:
    recording = made(path / "run.rec", events, **more)  # type: ignore[arg-type]
    return [sentence.text for sentence in story_of(recording)][:-1]


def state(tick: int, agent: int, old: str, new: str) -> StateChanged:
    return StateChanged(tick, agent, before=AgentState(old), state=AgentState(new))


def test_thirty_footsteps_are_one_sentence_and_silence_parts_them(tmp_path: Path) -> None:
    steps = [Heard(tick, AMES, at=(1.0, 2.0, 0.0), sound="footstep") for tick in range(0, 300, 10)]
    later = Heard(500, AMES, at=(5.0, 2.0, 0.0), sound="footstep")
    assert told(tmp_path, *steps, later) == [
        "30 footsteps were heard within 29 s, the first at (1.0, 2.0).",
        "A footstep was heard at (5.0, 2.0).",
    ]


def test_who_was_put_elsewhere_is_told_once_a_step(tmp_path: Path) -> None:
    moved = [Placed(30, YOU, at=(x, 2.0, 0.0)) for x in (1.0, 4.0)]
    other = Placed(30, AMES, at=(9.0, 2.0, 0.0))
    later = Placed(31, YOU, at=(5.0, 2.0, 0.0))
    assert told(tmp_path, *moved, other, later) == [
        "The user moved you to (4.0, 2.0).",
        "The user moved Ames to (9.0, 2.0).",
        "The user moved you to (5.0, 2.0).",
    ]


def test_a_loss_that_is_over_in_a_moment_is_none(tmp_path: Path) -> None:
    seen = Sees(10, AMES, other=YOU, at=(4.0, 4.0, 0.0))
    lost = Lost(20, AMES, other=YOU, at=(5.0, 4.0, 0.0))
    flood = Predicted(20, AMES, other=YOU, at=(9.0, 4.0, 0.0), reason="no_cells")
    again = Sees(25, AMES, other=YOU, at=(5.0, 4.0, 0.0))
    assert told(tmp_path, seen, lost, flood, again) == ["Ames saw you at (4.0, 4.0)."]
    late = Sees(35, AMES, other=YOU, at=(5.0, 4.0, 0.0))
    assert told(tmp_path, seen, lost, flood, late) == [
        "Ames saw you at (4.0, 4.0).",
        "Ames lost you at (5.0, 4.0).",
        "Ames headed to (9.0, 4.0): the flood filled every cell it could reach.",
        "Ames saw you again at (5.0, 4.0).",
    ]


def test_another_guards_sight_does_not_undo_a_loss(tmp_path: Path) -> None:
    lost = Lost(20, AMES, other=YOU, at=(5.0, 4.0, 0.0))
    other = Sees(22, BELL, other=YOU, at=(6.0, 4.0, 0.0))
    assert told(tmp_path, lost, other) == ["Ames lost you at (5.0, 4.0).", "Bell saw you at (6.0, 4.0)."]


def test_a_chase_that_arrives_tells_the_metres_really_run(tmp_path: Path) -> None:
    places = np.zeros((600, 3, 3))
    places[:, AMES, 0] = np.clip(np.arange(600) * 0.1, 0.0, 12.0)
    chase = (
        Lost(0, AMES, other=YOU, at=(2.0, 0.0, 0.0)),
        Predicted(0, AMES, other=YOU, at=(12.0, 0.0, 0.0), reason="too_many"),
        state(150, AMES, "chase", "search"),
        Searches(151, AMES),
        Searches(251, AMES),
        Opened(300, AMES, spot="locker"),
        state(551, AMES, "search", "patrol"),
    )
    assert told(tmp_path, *chase, places=places) == [
        "Ames lost you at (2.0, 0.0).",
        "Ames ran 12 m to (12.0, 0.0): the flood stopped because the place is wide.",
        "Ames looked around, found nothing.",
        "Ames searched 40 s, 2 places, opened the locker, gave up.",
    ]
    # Who never came there did not look round there.
    assert told(tmp_path, *chase)[1:3] == [
        "Ames headed to (12.0, 0.0): the flood stopped because the place is wide.",
        "Ames searched 40 s, 2 places, opened the locker, gave up.",
    ]


def test_zones_and_marks_of_the_level_name_places(tmp_path: Path) -> None:
    level = sample("warehouse")
    names = PlaceNames(level)
    zone = next(zone for zone in level.zones if zone.name == "control room")
    inside = (*zone.outline_xy.mean(axis=0).tolist(), 0.0)
    locker = next(place for place in level.hiding_places if place.name == "locker").xyz
    assert names.at(inside) == "in the control room"
    assert names.to(inside) == "to the control room"
    assert names.at(locker) == "near the locker"
    assert names.at((*inside[:2], 9.0)) == f"at ({inside[0]:.1f}, {inside[1]:.1f}, 9.0)"
    wide = Predicted(5, AMES, other=YOU, at=inside, reason="too_many")
    assert told(tmp_path, wide, level=to_geojson(level).decode()) == [
        "Ames headed to the control room: the flood stopped because the control room is wide."
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("locker", "the locker"),
        ("locker 2", "locker 2"),
        ("hiding place 3", "a hiding place"),
        ("Yard", "Yard"),
        ("upstairs", "upstairs"),
        ("the vault", "the vault"),
    ],
)
def test_names_stand_in_sentences_as_people_say_them(name: str, said: str) -> None:
    assert the(name) == said


def test_every_sentence_says_who(tmp_path: Path) -> None:
    lines = told(
        tmp_path,
        AlarmRaised(1, AMES),
        Threw(2, AMES, at=(1.0, 1.0, 0.0)),
        AlarmRaised(3, BELL),
        CameOut(4, YOU),
        Missing(5, AMES, at=(1.0, 1.0, 0.0)),
    )
    assert lines == [
        "Ames called the others.",
        "Ames threw something to (1.0, 1.0).",
        "Bell called the others.",
        "You came out of hiding.",
        "Ames missed a colleague at (1.0, 1.0).",
    ]


def test_a_stretch_is_told_without_what_came_before_or_after(tmp_path: Path) -> None:
    recording = made(tmp_path / "run.rec", [AlarmRaised(tick, AMES) for tick in (10, 100, 200)])
    found = story_of(recording, first=50, last=150)
    assert [(one.tick, one.agent, one.text) for one in found] == [(100, "Ames", "Ames called the others.")]
    assert found[0].seconds == pytest.approx(10.0)
    assert story_of(recording)[-1].text == "It ended after 60.0 s, time over: time limit of 60 s reached."


def test_that_somebody_was_caught_is_told_once(tmp_path: Path) -> None:
    text = """
level: rooms
seconds: 9
agents:
  - {name: Ames, at: [2.5, 2.5]}
  - {name: you, brain: puppet, at: [1.5, 2.5]}
"""
    story = story_of(Recording.read(recorded(text, tmp_path / "run.rec")))
    assert len([one for one in story if "aught you" in one.text]) == 1
    assert story[-1].text.startswith("It ended after ")
    assert story[-1].text.endswith(" s, caught.")


def test_a_real_run_is_told_in_order_in_sentences(tmp_path: Path) -> None:
    story = story_of(Recording.read(recorded(LOST, tmp_path / "run.rec")))
    assert [one.tick for one in story] == sorted(one.tick for one in story)
    assert all(one.text[0].isupper() and one.text.endswith(".") and "  " not in one.text for one in story)
    words = " ".join(one.text for one in story)
    parts = (
        "saw you",
        "called",
        "lost you",
        "ran ",
        "looked around, found nothing",
        "searched",
        "gave up",
        "it ended",
    )
    at = [words.lower().find(part.lower()) for part in parts]
    assert -1 not in at
    assert at == sorted(at)


def test_a_recording_without_steps_has_no_story(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="holds no steps"):
        story_of(made(tmp_path / "run.rec", [], ticks=0))
