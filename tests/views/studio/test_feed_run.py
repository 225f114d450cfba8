"""The run of a feed: frames at uneven times become even steps, which are saved and read again."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen import Level
from lastseen.errors import InputError, RecordingError
from lastseen.level.samples import sample
from lastseen.simulation.recording.format import About
from lastseen.simulation.recording.live_recording import GrowingRecording
from lastseen.simulation.recording.recording import Recording, is_feed, require_simulated
from lastseen.views.studio.panels.agent import account_answer
from lastseen.views.studio.protocol.feed_frames import FeedPacker, numbers_since
from lastseen.views.studio.protocol.feeds import FedAgent, FedEvent, FedFrame, FedLine, FedPoint
from lastseen.views.studio.session.feed_run import FeedRun

STEP = 0.1


def run_of(*frames: FedFrame, level: Level | None = None) -> FeedRun:
    run = FeedRun("toy", level, STEP)
    run.add(frames)
    return run


def at(time: float, x: float, **more: object) -> FedFrame:
    return FedFrame(time, (FedAgent("Ames", (x, 0.0, 0.0), **more),))


def places(run: FeedRun) -> list[float]:
    return [run.moment(tick).agents[0].at[0] for tick in range(run.ticks)]


def test_frames_become_even_steps():
    # Times 7.0, 7.1, 7.12 (the same step), 7.4: steps 0, 1 and 4; in between everything stays as it was.
    run = run_of(at(7.0, 1.0), at(7.1, 2.0), at(7.12, 3.0), at(7.4, 4.0))
    assert places(run) == [1.0, 2.0, 2.0, 2.0, 4.0]


def test_time_that_goes_back_or_stands_still_begins_again():
    run = run_of(at(0.0, 1.0), at(1.0, 2.0))
    assert run.ticks == 11
    assert run.add((at(0.2, 5.0),))
    assert places(run) == [5.0]
    assert not run.add((at(0.3, 6.0),))
    assert run.add((at(1_000.0, 7.0),))
    assert places(run) == [7.0]
    assert [one["text"] for one in run.happened] == ["Ames: no state"]


def test_numbers_events_and_reasons_are_found_by_step():
    run = FeedRun("toy", None, STEP)
    run.add((FedFrame(0.0, (FedAgent("Ames", (0.0, 0.0, 0.0), state="patrol", why="calm"),), numbers={"alarm": 0.5}),))
    second = FedAgent("Ames", (0.2, 0.0, 0.0), state="chase", why="saw you", facts={"far": 3.0})
    run.add(
        (FedFrame(0.1, (second,), numbers={"alarm": 0.5}), FedFrame(0.2, (second,), numbers={"alarm": 0.75})),
        (FedEvent(0.1, "sees", "Ames", "by the door"), FedEvent(0.2, "thunder")),
    )
    assert [(one["tick"], one["agent"], one["kind"], one["text"]) for one in run.happened] == [
        (0, 0, "state", "Ames: patrol"),
        (1, 0, "state", "Ames: chase"),
        (1, 0, "reported", "Ames: sees – by the door"),
        (2, -1, "reported", "thunder"),
    ]
    assert [(one.tick, one.agent, one.text) for one in run.story()][2:] == [
        (1, "Ames", "Ames: sees – by the door"),
        (2, "", "thunder"),
    ]
    assert numbers_since(run, 0).series == {"alarm": [(0, 0.5), (2, 0.75)]}
    assert numbers_since(run, 1).series == {"alarm": [(2, 0.75)]}
    account = account_answer(run, 0, 2)
    assert account.state == "chase"
    assert account.decision == {"far": 3.0, "kind": "why", "tick": 1, "text": "saw you"}
    assert account_answer(run, 0, 0).decision == {"kind": "why", "tick": 0, "text": "calm"}
    with pytest.raises(InputError, match="no agent 1"):
        account_answer(run, 1, 0)


def test_an_agent_that_is_removed_is_gone():
    run = run_of(at(0.0, 1.0), FedFrame(0.1), at(0.2, 2.0))
    modes = []
    for tick in range(3):
        run.seek(tick)
        modes.append(int(run.now()[0]["mode"][0]))
    assert modes == [0, 3, 0]
    assert account_answer(run, 0, 1).mode == "gone"


def test_walls_cut_off_what_an_agent_sees():
    level = sample("rooms")
    low, high = np.array(level.spawns[0].xyz[:2]) - 0.01, np.array(level.spawns[0].xyz[:2]) + 0.01
    place = (*((low + high) / 2.0).tolist(), 0.0)
    frame = FedFrame(0.0, (FedAgent("Ames", place, view=(500.0, 6.28)), FedAgent("Bell", place)))
    for drawn, reaches in ((None, True), (level, False)):
        run = run_of(frame, level=drawn)
        packed = FeedPacker(run).frame(views=True)
        outline = np.frombuffer(packed.views[4:], "<f4").reshape(-1, 2)
        assert packed.view_count == 1
        assert bool(np.linalg.norm(outline - place[:2], axis=1).max() > 400.0) is reaches


def test_shut_doors_are_drawn_and_cut_off_views_and_those_of_no_level_are_left_out():
    level = sample("rooms")
    (door,) = level.doors
    (x, y), (low, high) = door.outline_xy.mean(axis=0), (door.outline_xy.min(axis=0), door.outline_xy.max(axis=0))
    along = int(np.argmin(high - low))  # the way through the door
    place, through = np.array([x, y, 0.0]), np.array([x, y])
    place[along] -= 1.5
    eyes = FedAgent("Ames", tuple(place.tolist()), heading=0.5 * np.pi * along, view=(6.0, 0.2))
    run = run_of(*(FedFrame(STEP * k, (eyes,), shut=shut) for k, shut in enumerate((None, (), (0, 7)))), level=level)
    doors, reach, packer = [], [], FeedPacker(run)
    for tick in range(3):
        run.seek(tick)
        doors.append(run.now()[0]["doors"].tolist())
        outline = np.frombuffer(packer.frame(views=True).views[4:], "<f4").reshape(-1, 2)
        reach.append(float(outline[:, along].max() - through[along]))
    assert doors == [[int(not door.open)], [0], [1]]
    assert reach[1] > 2.0
    assert reach[2] < 0.5


def moments() -> st.SearchStrategy[list[tuple[FedFrame, list[FedEvent]]]]:
    """Return frames in order of time, with the events before each."""

    def make(seed: int) -> list[tuple[FedFrame, list[FedEvent]]]:
        draw = random.Random(seed)
        time, found = draw.uniform(-5.0, 5.0), []
        for _ in range(draw.randrange(1, 90)):
            time += draw.choice([0.01, 0.05, 0.1, 0.1, 0.35, 2.0])
            names = draw.sample(["Ames", "Bell", "Cole"], draw.randrange(4))
            place = (draw.uniform(-9.0, 9.0), draw.uniform(-9.0, 9.0), 0.0)
            agents = tuple(
                FedAgent(name, place, state=draw.choice(["", "patrol", "mine"]), why=draw.choice(["", "a", "b"]))
                for name in names
            )
            points = (FedPoint("spot", place),) if draw.random() < 0.5 else ()
            lines = (FedLine("path", (place, place)),) if draw.random() < 0.5 else ()
            numbers = {name: draw.choice([0.0, 1.5]) for name in draw.sample(["one", "two"], draw.randrange(3))}
            events = [
                FedEvent(time, draw.choice("xyz"), draw.choice(["", "Ames"])) for _ in range(draw.choice([0, 0, 2]))
            ]
            found.append((FedFrame(time, agents, points, lines, numbers), events))
        return found

    return st.integers(0, 2**32).map(make)


@given(moments(), st.integers(1, 7))
@settings(max_examples=40, deadline=None)
def test_every_step_is_the_last_frame_at_or_before_it(sent, batch):
    run = FeedRun("toy", None, STEP)
    for start in range(0, len(sent), batch):
        part = sent[start : start + batch]
        assert not run.add(tuple(frame for frame, _ in part), tuple(one for _, events in part for one in events))
    begun = sent[0][0].time
    steps = {}  # the first frame of each step is shown
    for frame, _ in sent:
        steps.setdefault(round((frame.time - begun) / STEP), frame)
    assert run.ticks == max(steps) + 1
    run.finish()
    happened = sorted(round((one.time - begun) / STEP) for _, events in sent for one in events)
    steps.setdefault(run.ticks - 1, run.moment(run.ticks - 1))
    again = FeedRun.read(Recording("toy.rec", run.file()), "toy.rec")
    for tick in range(run.ticks):
        expected = steps[max(one for one in steps if one <= tick)]
        for found in (run.moment(tick), again.moment(tick)):
            assert (found.agents, found.points, found.lines) == (expected.agents, expected.points, expected.lines)
            assert found.numbers == expected.numbers
    assert (again.happened, again.agents, again.numbers) == (run.happened, run.agents, run.numbers)
    assert again.story() == run.story()
    assert all(one["tick"] <= other["tick"] for one, other in pairwise(run.happened))
    assert [one["tick"] for one in run.happened if one["kind"] == "reported"] == happened


def test_events_after_the_last_step_are_not_lost():
    run = run_of(at(0.0, 1.0))
    run.add((at(0.01, 2.0),), (FedEvent(0.01, "late"),))
    assert [one["kind"] for one in run.happened] == ["state"]
    run.finish()
    assert [(one["tick"], one["kind"]) for one in run.happened] == [(0, "state"), (0, "reported")]
    assert places(run) == [1.0, 1.0]


def test_too_many_names_are_refused_and_change_nothing():
    run = run_of(at(0.0, 1.0))
    crowd = tuple(FedAgent(f"agent {number}", (0.0, 0.0, 0.0)) for number in range(256))
    with pytest.raises(InputError, match="at most 256 agents"):
        run.add((FedFrame(0.1, crowd),))
    with pytest.raises(InputError, match="at most 64 numbers"):
        run.add((FedFrame(0.1, numbers={f"number {number}": 0.0 for number in range(65)}),))
    assert run.ticks == 1
    assert list(run.agents) == ["Ames"]


def test_a_level_comes_back_with_the_recording():
    level = sample("rooms")
    run = run_of(at(0.0, 1.0), level=level)
    recording = Recording("toy.rec", run.file())
    assert is_feed(recording)
    with pytest.raises(RecordingError, match=r"lastseen play toy\.rec"):
        require_simulated(recording)
    again = FeedRun.read(recording, "toy.rec")
    assert again.level == level
    assert again.has_ended()
    with pytest.raises(InputError, match="already a file"):
        again.file()


@pytest.mark.parametrize("text", ["{", '{"time":0,"agents":[{"name":"","at":[0,0,0]}]}', '{"time":0,"other":1}', ""])
def test_a_recording_with_a_wrong_frame_is_refused(text):
    recording = GrowingRecording(About("0", "", "", 0, STEP, (), (), (), notes={"feed": "toy"}))
    recording.add((), texts=[(0, 0, text)] if text else [])
    with pytest.raises(RecordingError, match="step 0 cannot be read"):
        FeedRun.read(Recording("toy.rec", recording.to_bytes("stopped", "")), "toy.rec")
