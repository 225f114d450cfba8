"""The studio over a real socket: play, time, questions, files, several pages."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage_opening import opened, request_for
from studio.server import serving

EAST = {"move": [1, 0], "gait": "walk"}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("studio")) as found:
        yield found


@pytest.fixture
def page(served):
    with served.page() as page:
        page.say("open", level="rooms", difficulty="normal")
        page.hello = page.until("hello")
        yield page


def played(ticks: int, **wanted) -> str:
    """The digest of an uninterrupted run of the rooms with one input."""
    game = Game(opened(Folder("."), request_for("rooms")))
    for _ in range(ticks):
        game.advance(PlayerInput(**wanted))
    return game.digest()


def test_hello_says_everything_that_stays(page):
    hello = page.hello
    assert hello["title"] == "Two rooms"
    assert hello["mode"] == "play"
    assert hello["agents"][hello["player"]]["target"]
    assert all(agent["tree"] and agent["view"]["far"] > 0 for agent in hello["agents"] if agent["watcher"])
    assert hello["cells"]["count"] > 100
    assert {shape["kind"] for shape in hello["level"]["shapes"]} >= {"floor", "door"}
    assert hello["level"]["y_down"]
    assert "warehouse" in [entry["name"] for entry in hello["levels"]]
    assert hello["difficulties"] == ["easy", "normal", "hard"]


def test_floors_cover_what_can_be_walked_and_no_more(page):
    import base64

    import shapely

    cells, shapes = page.hello["cells"], page.hello["level"]["shapes"]
    places = np.frombuffer(base64.b64decode(cells["xyz"]), "<f4").reshape(-1, 3)
    floor = shapely.union_all(
        [shapely.Polygon(one["outline"], one["holes"]) for one in shapes if one["kind"] == "floor"]
    )
    assert shapely.contains_xy(floor.buffer(0.01), places[:, 0], places[:, 1]).all()
    assert floor.area < 24 * 10


def test_the_first_frame_is_whole_and_shows_everybody(page):
    frame = page.until("frame")
    assert frame["full"]
    assert frame["tick"] == 0
    assert len(frame["numbers"]) == len(page.hello["agents"])
    assert frame["awareness"].shape == (len(page.hello["watchers"]), len(page.hello["targets"]))
    assert (frame["known"][..., 5] == -1).all()


def test_a_player_walks_where_it_is_told(page):
    me = page.hello["player"]
    before = page.until("frame")["numbers"][me]
    page.say("input", **EAST)
    page.say("step", ticks=30)
    after = page.until("frame")["numbers"][me]
    assert after[0] - before[0] > 1.0
    assert abs(after[1] - before[1]) < 0.1
    status = page.settle()
    assert (status["tick"], status["ticks"]) == (30, 31)
    assert status["digest"] == played(30, move=(1.0, 0.0), gait="walk")


def test_time_passes_by_itself_until_it_is_paused(page):
    page.until("frame")
    page.say("run", running=True, speed=2)
    ticks = [page.until("frame")["tick"] for _ in range(10)]
    assert ticks == sorted(set(ticks))
    stopped = page.settle()["tick"]
    page.say("step", ticks=1)
    assert page.until("status")["tick"] == stopped + 1


def test_the_past_is_shown_as_it_was(page):
    page.say("input", **EAST)
    page.say("step", ticks=10)
    then = page.until("frame", tick=10)
    page.say("step", ticks=20)
    page.until("frame", tick=30)
    page.say("seek", tick=10)
    again = page.until("frame", tick=10)
    assert again["full"]
    for name in ("numbers", "marks", "awareness", "visible", "doors"):
        np.testing.assert_array_equal(then[name], again[name])
    np.testing.assert_allclose(then["known"], again["known"], atol=1e-5)
    page.say("seek", tick=10**6)
    assert page.until("frame")["tick"] == 30


def test_going_on_from_the_past_gives_the_run_that_was_never_interrupted(page):
    page.say("input", **EAST)
    page.say("step", ticks=40)
    page.until("frame", tick=40)
    page.say("seek", tick=15)
    page.say("resume")
    page.until("events", **{"from": 16})
    assert page.settle()["ticks"] == 16
    page.say("input", **EAST)
    page.say("step", ticks=25)
    page.until("frame", tick=40)
    assert page.settle()["digest"] == played(40, move=(1.0, 0.0), gait="walk")


def test_what_follows_a_resumed_step_may_differ(page):
    page.say("input", **EAST)
    page.say("step", ticks=20)
    page.say("seek", tick=10)
    page.say("resume")
    page.say("input", move=[0, 0])
    page.say("step", ticks=10)
    page.until("frame", tick=20)
    page.say("seek", tick=20)
    assert page.settle()["digest"] != played(20, move=(1.0, 0.0), gait="walk")


def test_recorded_steps_are_played_again_up_to_the_last(page):
    page.say("input", **EAST)
    page.say("step", ticks=20)
    page.say("seek", tick=5)
    page.until("status", tick=5)
    page.say("run", running=True, speed=8)
    assert page.until("status", running=False, tick=20)["live"]


def test_somebody_is_put_elsewhere_and_the_run_can_be_repeated(page):
    frame = page.until("frame")
    guard = page.hello["watchers"][0]
    x, y, z = frame["numbers"][guard][:3].tolist()
    page.say("place", agent=guard, at=[x, y, z + 0.2])
    page.say("step", ticks=30)
    page.until("frame", tick=30)
    digest = page.settle()["digest"]
    page.say("step", ticks=5)
    page.say("seek", tick=30)
    page.say("resume")
    page.until("events", **{"from": 31})
    assert page.settle()["digest"] == digest


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"agent": 99, "at": [1, 1, 0]}, "no agent 99"),
        ({"agent": 0, "at": [1000, 1000, 0]}, "off the floor"),
    ],
)
def test_nobody_is_put_where_nobody_can_be(page, message, words):
    error = page.ask("place", "error", **message)
    assert words in error["message"]
    assert error["about"] == "place"


def test_questions_are_answered(page):
    page.say("step", ticks=5)
    guard = page.hello["watchers"][0]
    account = page.ask("ask", "account", agent=guard)
    assert account["agent"] == page.hello["agents"][guard]["name"]
    assert account["tick"] == 5
    assert account["tree"]
    cell = page.ask("cell", "cell", cell=7)
    assert cell["layers"] == {"search": 0, "cleaned": 0}
    assert cell["neighbours"]
    flood = page.ask("whatif", "flood", seen=[3.5, 5.5, 0], heading=[1, 0], presets=["article", "belief"])
    assert [result["preset"] for result in flood["results"]] == ["article", "belief"]
    article = flood["results"][0]
    assert article["warm"]
    assert all(len(one) == 3 for one in article["warm"])
    assert article["command"].startswith("lastseen chase rooms --seen 3.5,5.5")


def test_the_python_of_a_flood_gives_the_same_place(page, capsys):
    flood = page.ask("whatif", "flood", seen=[3.5, 5.5, 0], heading=[1, 0], guard=[1.5, 5.5, 0], presets=["belief"])
    result = flood["results"][0]
    exec(result["python"], {})
    np.testing.assert_allclose(json.loads(capsys.readouterr().out), result["destination"], atol=1e-6)


@pytest.mark.parametrize(
    ("kind", "more", "words"),
    [
        ("ask", {"agent": 77}, "no agent 77"),
        ("cell", {"cell": 10**6}, "no cell"),
        ("whatif", {"seen": [0, 0, 0], "presets": ["artikle"]}, "did you mean 'article'"),
        ("whatif", {"seen": [9000, 9000, 0]}, ""),
        ("open", {"level": "nowhere"}, "no file 'nowhere'"),
        ("open", {"level": "rooms", "scenario": "x.yaml"}, "not several"),
        ("open", {"level": "rooms", "difficulty": "hart"}, "did you mean 'hard'"),
        ("overlays", {"layers": ["serch"]}, "no layer"),
        ("save", {"name": "../out"}, "not a valid file name"),
        ("export", {"kind": "gif", "from": 9, "to": 3}, "cannot be exported"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(page, kind, more, words):
    before = page.settle()
    error = page.ask(kind, "error", **more)
    assert words in error["message"]
    assert (error["code"], error["about"]) == ("refused", kind)
    assert page.settle() == before


def test_views_are_sent_to_the_page_that_shows_them(served, page):
    with served.page() as other:
        page.say("overlays", views=True, layers=[])
        page.say("step", ticks=1)
        frame = page.until("frame", tick=1)
        assert set(frame["views"]) == set(page.hello["watchers"])
        assert frame["layers"] == {}
        assert other.until("frame", tick=1)["views"] == {}


def test_layers_arrive_as_changes_that_add_up(served):
    with served.page() as page:
        page.say("open", level="warehouse", difficulty="hard")
        page.hello = page.until("hello")
        page.say("input", move=[0, 1], gait="run")
        page.say("step", ticks=120)
        page.say("input")
        page.say("place", agent=page.hello["player"], at=[41.5, 2.5, 0])  # seen, then out of sight: they search
        held = np.zeros(page.hello["cells"]["count"], np.int8)
        for _ in range(60):
            page.say("step", ticks=5)
            page.settle()
            taken = taken_in(held, page.frames)
            page.frames.clear()
            if taken > 20:
                break
        page.say("seek", tick=page.settle()["tick"])
        cells, values = page.until("frame", full=True)["layers"][0]
        taken_in(held, page.frames[:-1])  # those that came late
        whole = np.zeros_like(held)
        whole[cells] = values
        assert whole.any()
        np.testing.assert_array_equal(held, whole)


def taken_in(held: np.ndarray, frames: list) -> int:
    """Do to a layer what frames say; return how many cells are not 0 then."""
    for frame in frames:
        for cells, values in [frame["layers"][0]] if 0 in frame["layers"] else []:
            held[:] = 0 if frame["full"] else held
            held[cells] = values
    return int(np.count_nonzero(held))


def test_two_pages_see_one_game(served):
    with served.page() as one, served.page() as other:
        one.say("restart")
        one.until("hello")
        other.until("hello")
        one.say("step", ticks=4)
        assert one.until("frame", tick=4)["tick"] == other.until("frame", tick=4)["tick"]
        other.say("input", **EAST)
        other.say("step", ticks=4)
        assert one.until("status", tick=8)["digest"] == other.until("status", tick=8)["digest"]


def test_a_page_that_comes_late_hears_the_story_so_far(served):
    with served.page() as one:
        one.say("open", level="warehouse")
        one.until("hello")
        one.say("input", move=[0, 1], gait="run")
        one.say("step", ticks=150)
        one.until("frame", tick=150)
        told = [text for text in one.heard if text["type"] == "events"]
        with served.page() as late:
            assert late.hello["tick"] == 150
            events = late.until("events")["events"]
            assert events == [event for message in told for event in message["events"]]
            assert late.until("story")["sentences"]


def test_a_saved_run_can_be_opened_and_gone_on_with(served, page):
    page.say("input", **EAST)
    page.say("step", ticks=12)
    digest = page.settle()["digest"]
    assert page.ask("save", "saved", name="first try")["name"] == "first try.rec"
    page.say("open", recording="first try.rec")
    hello = page.until("hello")
    assert (hello["kind"], hello["mode"], hello["ticks"]) == ("recording", "watch", 13)
    assert "first try.rec" in [entry["name"] for entry in hello["recordings"]]
    page.say("seek", tick=12)
    assert page.until("status", tick=12)["digest"] == digest
    page.say("resume")
    assert page.until("status", mode="play")["live"]
    page.say("input", **EAST)
    page.say("step", ticks=8)
    assert page.until("status", tick=20)["digest"] == played(20, move=(1.0, 0.0), gait="walk")


def test_a_saved_run_is_an_ordinary_recording(page, served):
    page.say("step", ticks=3)
    page.ask("save", "saved", name="plain.rec")
    found = Recording.read(served.folder / "plain.rec")
    assert (len(found), found.fault, found.end.reason) == (4, "", "stopped")


def test_an_end_is_told_and_a_restart_begins_again(served):
    with served.page() as page:
        page.say("open", level="rooms", difficulty="hard")
        page.hello = page.until("hello")
        page.say("input", move=[1, 0], gait="run")
        page.say("step", ticks=300)
        page.say("step", ticks=300)
        status = page.settle()
        page.say("seek", tick=status["ticks"])
        ended = page.until("status", tick=status["ticks"] - 1)["ended"]
        assert ended["reason"] in ("caught", "escaped")
        page.say("run", running=True)
        assert not page.until("status")["running"]
        page.say("restart")
        assert page.until("hello")["ended"] is None
