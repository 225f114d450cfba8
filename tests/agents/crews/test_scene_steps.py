"""Scenes step by step, in a crew's mind of a few numbers; tests/simulation/crews/test_scenes.py plays whole ones."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from lastseen.agents.behaviour.status import FAILURE, SUCCESS
from lastseen.agents.brains.objects import Objects, SmartObject
from lastseen.agents.brains.surroundings import Scene, SceneStep, Teamwork
from lastseen.agents.crews.shipped.conversation import (
    TakeUpTalk,
    Talk,
    TalkOn,
    _line,
    _other,
    _topic,
    _turn,
    _watch,
    has_talked,
    ignores_first,
    noise_counts,
    scene_ends,
    speaks_now,
    talk_is_over,
)
from lastseen.vocabulary.words import ObjectKind, SceneAct, SceneBreak, SceneResumption

PLACES = {4: (1.0, 2.0, 0.0), 7: (5.0, 5.0, 0.5), 9: (9.0, 1.0, 0.0)}
LETTER = SmartObject("letter", ObjectKind.ITEM, (6.0, 2.0, 0.0), ((6.0, 1.0, 0.0),), "take", 0.8)
STAGE = (2.0, 2.0, 0.0)
STEPS = (
    SceneStep(1, SceneAct.TALK, 0, "Have you heard?", "", None, 2.0, 0),
    SceneStep(0, SceneAct.INSPECT, -1, "Look.", "letter", None, 3.0, 0),
    SceneStep(0, SceneAct.GIVE, 2, "Here.", "letter", None, 1.0, 1),
    SceneStep(2, SceneAct.TALK, 1, "", "", STAGE, 2.5, 1),
)


def scene(**more: Any) -> Scene:
    settings = {"ignores_first": False, "resume": SceneResumption.BLOCK, **more}
    return Scene("letters", (4, 7, 9), STEPS, **settings)


def crew_mind(played: Scene | None = None) -> Any:
    """Return the mind of a crew of 4, 7 and 9, led by 7; the letter lies in its place."""
    held = Objects(
        things=(LETTER,), places=[LETTER.xyz], carrier=[-1], is_on=[True], owner=[""], rung=[-99.0]
    )  # fmt: skip
    events: list[Any] = []
    world = SimpleNamespace(
        objects=held, tick=8, events=events, happened=events.append, cast=SimpleNamespace(seed=5),
        teamwork=Teamwork(scenes={} if played is None else {"play": played}),
    )  # fmt: skip
    return SimpleNamespace(
        world=world, time=0.0, blackboard={}, members=(4, 7, 9), place_of=PLACES.__getitem__,
        stay_of=lambda member: (float(member), 0.0, 0.0), name_of=lambda agent: f"g{agent}",
        crew=SimpleNamespace(number=1, leader=7, objective="play"),
    )  # fmt: skip


def talking(turn: int, since: float = 0.0, **more: Any) -> Any:
    """Return a mind whose crew is at a step of the scene."""
    mind = crew_mind(scene(**more))
    mind.blackboard["talk"] = Talk("letters", 4, (4, 7, 9), turn, since, scene=mind.world.teamwork.scenes["play"])
    return mind


def test_a_scene_goes_on_when_the_actor_had_its_time_where_the_step_takes_place() -> None:
    mind, leaf = crew_mind(scene()), TalkOn()
    assert leaf.tick(mind) is SUCCESS
    talk = mind.blackboard["talk"]
    assert (talk.topic, talk.lines, talk.speakers, talk.turn) == ("letters", 4, (4, 7, 9), 1)
    assert leaf.reason == "letters: step 1 of 4, g7: talk"
    turns = []
    for tick in range(240):
        mind.time = tick / 8.0
        mind.place_of = ({**PLACES, 4: LETTER.slots[0]} if mind.time >= 4.0 else PLACES).__getitem__
        if leaf.tick(mind) is FAILURE:
            break
        if not turns or turns[-1][1] != talk.turn:
            turns.append((mind.time, talk.turn))
        if talk.turn == 3 and mind.world.objects.carrier == [-1]:
            mind.world.objects.carrier[0] = 4
    # At the letter from 4 s on; then ten seconds more, as 4 is not near 9 and 9 not at its place.
    assert turns == [(0.0, 1), (2.0, 2), (5.0, 3), (16.0, 4)]
    assert mind.time == 28.5
    assert leaf.reason == "all is said"
    acts = [(one.agent, one.other, one.act, one.item, one.scene) for one in mind.world.events if hasattr(one, "act")]
    assert acts == [
        (4, -1, SceneAct.INSPECT, "letter", "letters"),
        (4, 9, SceneAct.GIVE, "letter", "letters"),
    ]
    assert mind.world.objects.carrier == [9]


def test_what_an_actor_does_not_carry_it_cannot_give() -> None:
    mind, leaf = talking(3, since=-2.0), TalkOn()
    mind.blackboard["talk"].since = 0.0
    mind.time = 11.0
    mind.world.objects.carrier[0] = 7
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "g4 no longer has letter")
    assert mind.world.objects.carrier == [7]


def test_without_a_scene_members_talk_the_leader_first_each_for_the_same_time() -> None:
    mind, leaf = crew_mind(), TalkOn(seconds=1.5, lines=3, topic="rain")
    seen = []
    for tick in range(60):
        mind.time = tick / 8.0
        if leaf.tick(mind) is FAILURE:
            break
        talk = mind.blackboard["talk"]
        seen.append((talk.turn, talk.speaker))
    assert [seen.count(one) for one in ((1, 7), (2, 4), (3, 9))] == [12, 12, 12]
    assert len(seen) == 36
    assert leaf.reason == "all is said"
    assert crew_mind().blackboard == {}


def test_a_talk_ends_with_the_first_speaker_that_is_gone() -> None:
    mind, leaf = talking(2), TalkOn()
    assert talk_is_over(mind) == (False, "all are there")
    mind.members = (7, 9)
    assert talk_is_over(mind) == (True, "g4 is gone")
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "g4 is gone")


@pytest.mark.parametrize(
    ("resume", "turn", "again"),
    [
        (SceneResumption.BLOCK, 2, 0),
        (SceneResumption.BLOCK, 3, 2),
        (SceneResumption.BLOCK, 4, 2),
        (SceneResumption.START, 4, 0),
        (SceneResumption.START, 0, 0),
    ],
)
def test_a_scene_is_taken_up_where_its_data_says(resume: SceneResumption, turn: int, again: int) -> None:
    mind, leaf = talking(turn, 3.0, resume=resume), TakeUpTalk()
    mind.time = 4.0
    assert leaf.tick(mind) is SUCCESS
    assert mind.blackboard["talk"].turn == again
    assert [(one.resumed, one.is_scene, one.topic) for one in mind.world.events] == [(True, True, "letters")] * (
        turn > 0
    )
    if turn:
        assert leaf.reason == f"letters: again from step {again + 1}"
        TalkOn().tick(mind)
        assert mind.blackboard["talk"].turn == again + 1, "it is due at once, and nothing was done"
        assert not [one for one in mind.world.events if hasattr(one, "act")]


def test_a_scene_that_never_resumes_is_over() -> None:
    mind, leaf = talking(2, resume=SceneResumption.NEVER), TakeUpTalk()
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "letters is not taken up again")
    assert mind.blackboard["talk"].turn == 2
    assert TakeUpTalk().tick(crew_mind()) is SUCCESS


def test_members_stand_where_their_step_takes_place_and_face_the_one_it_is_about() -> None:
    """7 speaks to 4; 4 is at the letter, then an arm from 9; 9 is on its stage."""
    for turn, actor, place, face in (
        (1, 7, None, PLACES[4]),
        (2, 4, LETTER.slots[0], PLACES[7]),
        (3, 4, None, PLACES[9]),
        (4, 9, STAGE, STAGE),
    ):
        mind = talking(turn)
        for member in (4, 7, 9):
            assert speaks_now(mind, member)[0] == (member == actor)
            if member != actor:
                assert _watch(mind, member, None) == (float(member), 0.0, 0.0)
                assert _other(mind, member, None) == PLACES[actor]
        assert _other(mind, actor, None) == face
        found = _watch(mind, actor, None)
        if turn == 3:
            assert math.dist(found, PLACES[9]) == pytest.approx(0.9)
            assert math.dist(found, PLACES[4]) == pytest.approx(math.dist(PLACES[4], PLACES[9]) - 0.9)
        else:
            assert found == (place or (float(actor), 0.0, 0.0))
        assert _line(mind, actor, None) == STEPS[turn - 1].say
        assert (_turn(mind, actor, None), _topic(mind, actor, None)) == (turn, None)


def test_an_item_that_is_carried_or_unknown_is_inspected_anywhere() -> None:
    mind = talking(2)
    mind.world.objects.carrier[0] = 9
    assert _watch(mind, 4, None) == (4.0, 0.0, 0.0)
    mind.world.objects.carrier[0] = -1
    mind.world.objects.lay(0, (3.0, 3.0, 0.0))
    assert _watch(mind, 4, None) == (3.0, 3.0, 0.0)


def test_before_a_talk_and_in_a_conversation() -> None:
    mind = crew_mind()
    assert has_talked(mind) == (False, "have not begun")
    assert (_turn(mind, 4, None), _topic(mind, 4, None), _line(mind, 4, None)) == (0, "", None)
    assert _other(mind, 4, None) == PLACES[7]
    assert speaks_now(mind, 7) == (False, "listens")
    mind.blackboard["talk"] = Talk("rain", 6, (7, 4, 9), turn=2)
    assert has_talked(mind)[0]
    assert (_turn(mind, 4, None), _topic(mind, 4, None), _line(mind, 4, None)) == (2, "rain", None)
    assert _other(mind, 9, None) == _other(mind, 7, None) == PLACES[4]
    assert _other(mind, 4, None) == PLACES[7]
    assert speaks_now(mind, 4) == (True, "its turn")


def test_what_breaks_off_and_ends_a_scene_is_in_its_data() -> None:
    assert ignores_first(crew_mind())[0]
    assert noise_counts(crew_mind())[0]
    assert not ignores_first(talking(1))[0]
    assert ignores_first(talking(1, ignores_first=True))[0]
    for breaks_off, ends, counts in (
        ((SceneBreak.ALARM.value,), ("storm",), False),
        ((SceneBreak.NOISE.value,), (), True),
        ((), (SceneBreak.NOISE.value,), True),
    ):
        assert noise_counts(talking(1, breaks_off=breaks_off, ends=ends))[0] == counts
    for holds in (True, False):
        mind = talking(1, ends=("storm",), facts={"storm": lambda: holds})  # noqa: B023
        assert scene_ends(mind) == (holds, "storm" if holds else "nothing interrupts")
