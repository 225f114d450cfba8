"""A game shows itself in a studio that really serves: what it sends arrives, and nothing holds the game up."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import lastseen as ls
from lastseen.errors import InputError, LastSeenError
from lastseen.level.samples import sample
from lastseen.studio import sender
from lastseen.views.studio.session.feed_run import FeedRun
from lastseen.views.studio.session.feeds import MOST_CLOSED, MOST_FEEDS, empty_feed
from specimens.nasty_values import NASTY
from studio.server import Served, preparing, serving, until


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """No studio that happens to run on this machine is found."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "running"))


@pytest.fixture
def served(tmp_path) -> Iterator[Served]:
    with preparing(_folder(tmp_path), empty_feed) as found:
        until(found.studio.ready.is_set)
        yield found


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "studio"
    folder.mkdir(exist_ok=True)
    return folder


def runs(served: Served) -> dict[str, FeedRun]:
    return {run.source: run for run in served.studio.director.feeds._runs.values()}


def walk(feed: ls.studio.Feed, frames: int, first: int = 0) -> None:
    for number in range(first, first + frames):
        feed.agent("Ames", (float(number), 2.0), heading=0.5, state="patrol", why=f"step {number}")
        feed.frame(number / 60.0)


def test_what_a_game_sends_arrives(served):
    level = sample("rooms")
    with ls.studio.connect("toy", level=level, address=served.address) as feed:
        assert feed.is_connected
        feed.agent("Ames", (1, 2), heading=0.5, state="patrol", why="lunch", view=(5.0, 1.0), facts={"hungry": True})
        feed.point("spot", [3.0, 4.0, 0.5], text="here")
        feed.line("path", [(0, 0), (1, 1), (2, 0)])
        feed.number("alarm", 0.25)
        feed.event("wakes", agent="Ames", text="slowly")
        feed.frame(0.0)
        feed.remove("spot")
        feed.frame(0.1)
        until(lambda: runs(served)["toy"].ticks == 7)
        run = runs(served)["toy"]
        (agent,) = run.moment(0).agents
        assert (agent.at, agent.heading, agent.state, agent.why) == ((1.0, 2.0, 0.0), 0.5, "patrol", "lunch")
        assert (agent.view, agent.facts) == ((5.0, 1.0), {"hungry": True})
        assert [(point.name, point.at, point.text) for point in run.moment(0).points] == [
            ("spot", (3.0, 4.0, 0.5), "here")
        ]
        assert run.moment(6).points == ()
        assert run.moment(6).lines[0].points == ((0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (2.0, 0.0, 0.0))
        assert run.moment(6).numbers == {"alarm": 0.25}
        assert [one["text"] for one in run.happened] == ["Ames: patrol", "Ames: wakes – slowly"]
        assert run.level == level
        assert served.studio.director.game is run
        assert (feed.dropped, run.dropped) == (0, 0)
    until(lambda: not runs(served)["toy"].is_connected)


def test_a_page_follows_goes_back_and_catches_up(served):
    with served.page() as page, ls.studio.connect("toy", address=served.address) as feed:
        walk(feed, 60)
        hello = page.until("hello", title="toy")
        assert (hello["kind"], hello["running"], [agent["name"] for agent in hello["agents"]]) == (
            "feed",
            True,
            ["Ames"],
        )
        assert page.until_tick(59)["numbers"][0, 0] == 59.0
        page.say("seek", tick=10)
        assert page.until("frame", tick=10)["numbers"][0, 0] == 10.0
        assert page.ask("ask", "account", agent=0)["decision"]["text"] == "step 10"
        walk(feed, 30, 60)
        assert page.until("status", ticks=90)["tick"] == 10
        page.say("seek", tick=89)
        page.say("run", running=True)
        walk(feed, 10, 90)
        assert page.until_tick(99)["numbers"][0, 0] == 99.0
        page.say("save", name="mine")
        page.until("saved", name="mine.rec")
        page.say("open", recording="mine.rec")
        assert page.until("hello", kind="feed", source="mine.rec")["ticks"] >= 100
        page.say("seek", tick=42)
        assert page.until("frame", tick=42)["numbers"][0, 0] == 42.0


def test_what_cannot_be_done_with_a_feed_is_refused_in_words(served):
    with served.page() as page, ls.studio.connect("toy", address=served.address) as feed:
        walk(feed, 3)
        page.until("hello", title="toy")
        for kind, more in (
            ("mesh", {}),
            ("input", {}),
            ("export", {"kind": "gif"}),
            ("cell", {"cell": 0}),
            ("voices", {}),
        ):
            page.say(kind, **more)
            assert "live view" in page.until("error", about=kind)["message"]
        page.say("open", feed="toi")
        assert "toy" in page.until("error", about="open")["message"]
        page.say("restart")
        assert page.until("status", running=False)["tick"] == 0


def test_two_games_at_once_have_a_run_each(served):
    with served.page() as page, contextlib.ExitStack() as stack:
        one, other = (stack.enter_context(ls.studio.connect("toy", address=served.address)) for _ in range(2))
        walk(one, 5)
        page.until("hello", source="toy")
        walk(other, 7)
        page.until("note")  # it does not push the other one aside
        assert served.studio.director.game.source == "toy"
        until(lambda: [run.ticks for run in runs(served).values()] == [5, 7])
        page.say("open", feed="toy 2")
        hello = page.until("hello", source="toy 2")
        assert [entry["name"] for entry in hello["feeds"]] == ["toy", "toy 2"]
        assert page.until_tick(6)["numbers"][0, 0] == 6.0


def test_a_game_being_played_is_not_pushed_aside(tmp_path):
    with serving(_folder(tmp_path)) as served, served.page() as page:
        page.say("run", running=True)
        page.until("status", running=True)
        with ls.studio.connect("toy", address=served.address) as feed:
            walk(feed, 2)
            page.until("note")
            page.say("run", running=False)
            page.say("open", feed="toy")
            page.until("hello", title="toy")
        page.say("open", level="rooms")
        page.until("hello", title="Two rooms")


def test_it_connects_again_when_the_studio_is_restarted(tmp_path):
    folder = _folder(tmp_path)
    with preparing(folder, empty_feed) as served:
        feed = ls.studio.connect("toy", level=sample("rooms"), address=served.address)
        walk(feed, 10)
        until(lambda: runs(served)["toy"].ticks == 10)
    until(lambda: not feed.is_connected)
    walk(feed, sender.MOST_WAITING + 20, 10)
    assert feed.dropped >= 20
    with preparing(folder, empty_feed, port=served.port) as again:
        until(lambda: feed.is_connected and "toy" in runs(again))
        last = 30 + sender.MOST_WAITING
        walk(feed, 10, last)
        run = runs(again)["toy"]
        until(lambda: run.ticks > 0 and run.moment(run.ticks - 1).agents[0].at[0] == last + 9.0)
        assert run.level == sample("rooms")
        assert run.dropped == feed.dropped
        feed.close()


def test_a_slow_studio_loses_the_oldest_frames_and_keeps_the_rest(served):
    feed = ls.studio.connect("toy", address=served.address)
    gate = threading.Event()
    served.studio.perform(lambda: gate.wait(60.0))
    frames = 20 * sender.MOST_WAITING
    for number in range(frames):
        feed.agent("Ames", (float(number), 0.0), why="x" * 2_000)
        feed.frame(number / 60.0)
    assert feed.dropped > 0
    gate.set()
    feed.event("the end")
    walk(feed, 1, frames)
    until(lambda: "toy" in runs(served) and runs(served)["toy"].ticks > 0)
    run = runs(served)["toy"]
    until(lambda: run.moment(run.ticks - 1).agents[0].at[0] == frames)
    assert run.happened[-1]["name"] == "the end"
    assert run.dropped == feed.dropped
    feed.close()


def test_a_closed_feed_sends_nothing(served):
    feed = ls.studio.connect("toy", address=served.address)
    walk(feed, 2)
    feed.close()
    until(lambda: not runs(served)["toy"].is_connected)
    walk(feed, 9, 2)
    assert runs(served)["toy"].ticks == 2
    assert not feed.is_connected


def test_only_so_many_runs_are_kept(served):
    feeds = [ls.studio.connect(f"toy {number}", address=served.address) for number in range(MOST_FEEDS)]
    for feed in feeds:
        walk(feed, 1)
    with pytest.raises(InputError, match=f"{MOST_FEEDS} games are connected"):
        ls.studio.connect("one more", address=served.address)
    assert not ls.studio.connect("one more", address=served.address, required=False).is_connected
    for feed in feeds:
        feed.close()
    until(lambda: len(runs(served)) <= MOST_CLOSED + 1)


@pytest.mark.parametrize("more", [["rooms"], ["--difficulty", "hard"], ["--picture", "x.png"]])
def test_a_waiting_studio_opens_nothing_else(more):
    command = [sys.executable, "-m", "lastseen", "play", "--feed", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120.0)
    assert done.returncode == 2
    assert "--feed opens nothing else" in done.stderr
    assert "Traceback" not in done.stderr


RIGHT = {
    "agent": {"name": "Ames", "at": (0.0, 0.0)},
    "point": {"name": "spot", "at": (0.0, 0.0)},
    "line": {"name": "path", "points": [(0.0, 0.0), (1.0, 1.0)]},
    "number": {"name": "alarm", "value": 0.0},
    "door": {"door": 0, "closed": True},
    "event": {"name": "wakes"},
    "remove": {"name": "Ames"},
    "frame": {},
}
MORE = {
    "agent": ("heading", "state", "why", "view", "facts"),
    "point": ("text",),
    "event": ("agent", "text"),
    "frame": ("time",),
}


@pytest.mark.parametrize(
    ("method", "argument"),
    [(method, name) for method, right in RIGHT.items() for name in (*right, *MORE.get(method, ()))],
)
def test_bad_arguments_raise_errors_in_words_and_send_nothing(method, argument):
    for value in NASTY.values():
        feed = ls.studio.Feed(level=sample("rooms"))
        with contextlib.suppress(LastSeenError):
            getattr(feed, method)(**{**RIGHT[method], argument: value})
        feed.frame(0.0)


def test_the_path_of_an_agent_at_its_goal_is_a_line_too():
    feed, mesh = ls.studio.Feed(), ls.NavMesh.from_level(sample("hall"))
    feed.line("path", ls.find_path(mesh, (5.0, 5.0), (5.0, 5.0)).points_xyz)
    assert feed._lines["path"].points == ((5.0, 5.0, 0.0),) * 2


def test_doors_start_as_in_the_level_and_stay_as_they_were_set():
    level = sample("warehouse")
    feed = ls.studio.Feed(level=level)
    closed = {number for number, door in enumerate(level.doors) if door.starts_closed}
    assert feed._shut is None
    for door, is_closed, shut in ((0, True, closed | {0}), (level.doors[1].name, True, closed | {0, 1})):
        feed.door(door, closed=is_closed)
        assert set(feed._shut) == shut
    feed.door(0, closed=False)
    assert set(feed._shut) == (closed | {1}) - {0}
    for wrong, words in (
        (lambda: feed.door("nowhere", closed=True), "no door 'nowhere'"),
        (lambda: feed.door(0, closed=1), "closed is 1"),
        (lambda: ls.studio.Feed().door(0, closed=True), "no level"),
    ):
        with pytest.raises(LastSeenError, match=words):
            wrong()


def test_limits_are_named():
    feed = ls.studio.Feed()
    for number in range(256):
        feed.agent(f"agent {number}", (0.0, 0.0))
    feed.agent("agent 3", (1.0, 0.0))
    for call, words in (
        (lambda: feed.agent("one more", (0.0, 0.0)), "at most 256 agents"),
        (lambda: feed.agent("", (0.0, 0.0)), "1 to 100"),
        (lambda: feed.point("far", (2e6, 0.0)), "coordinates go up to 1e\\+06 m"),
        (lambda: feed.line("long", [(0.0, 0.0)] * 1001), "give 1 to 1,000"),
        (lambda: feed.agent("agent 3", (0.0, 0.0), view=(5.0, 7.0)), "view angle"),
        (lambda: feed.agent("agent 3", (0.0, 0.0), facts={"many": [1]}), "fact 'many'"),
        (lambda: feed.number("alarm", "0.5"), "alarm must be a number, got '0.5'"),
        (lambda: feed.point("spot", ("1", "2")), "at must be"),
        (lambda: ls.studio.connect("toy", step=0.0), "step is 0"),
        (lambda: ls.studio.connect("toy", level="rooms"), r"Level\.sample"),
        (lambda: ls.studio.connect("toy", token="x"), "without an address"),
        (lambda: ls.studio.connect("toy", address="gopher://x:1/"), "lastseen play"),
    ):
        with pytest.raises(InputError, match=words):
            call()
