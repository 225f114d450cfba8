"""The crews that pages and replays receive; a player's strikes are inputs like any other."""

from __future__ import annotations

import json
import zlib

import msgspec
import pytest

from lastseen.errors import InputError
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.views.studio.answers.replay_page import replay_data
from lastseen.views.studio.protocol.crew_state import CrewNews, crew_notes, crews_now, fight_notes
from lastseen.views.studio.protocol.news import Crews
from lastseen.views.studio.protocol.schema import parse_message
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage_opening import opened, request_for
from specimens.fights import write_fight
from studio.server import resume, serving

STEPS = 110


def played(folder, *, strikes: bool) -> Game:
    game = Game(opened(Folder(folder), request_for("fight.yaml")))
    for tick in range(STEPS):
        game.advance(PlayerInput(strike=strikes and tick % 20 == 0))
    return game


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("crews")
    write_fight(found)
    return found


@pytest.fixture(scope="module")
def game(folder):
    return played(folder, strikes=True)


def test_crews_now_and_in_the_past_are_told_alike(game):
    live = crews_now(game)
    assert [crew.objective for crew in live.crews] == ["fight"]
    assert [getattr(live.crews[0], name) for name in ("seat", "leader", "target", "members")] == [0, 0, 3, [0, 1, 2]]
    duties = {duty.agent: duty for duty in live.duties}
    assert [duties[agent].role for agent in (0, 1, 2)] == ["press", "press", "shoot"]
    assert all(duty.attack in (True, False) for duty in duties.values())
    assert duties[0].reason.startswith("press: slot ")
    assert duties[2].stand == [6.0, 12.0, 0.0]
    game.recording.frame(STEPS)  # the last one, as recorded
    world, game.world = game.world, None
    recorded = crews_now(game)
    game.world = world
    assert recorded == live
    game.seek(8)
    assert crews_now(game) == Crews([], [], [(2, "wait (1)")])
    game.seek(STEPS)


def test_pages_are_told_only_what_changed_and_one_page_everything(game):
    news = CrewNews(game)
    game.seek(STEPS)
    first = news.message(to_all=True)
    assert first is not None
    assert news.message(to_all=True) is None
    assert news.message(to_all=False) == first
    game.seek(8)
    assert news.message(to_all=False).crews == []
    assert news.message(to_all=True).crews == [], "one page was told, the others were not"
    game.seek(STEPS)


def test_a_run_without_crews_and_fights_says_nothing_of_them(tmp_path):
    quiet = Game(opened(Folder(tmp_path), request_for("rooms")))
    assert (crew_notes(quiet), fight_notes(quiet), CrewNews(quiet).message(to_all=False)) == (None, None, None)


def test_strikes_are_recorded_and_repeated_to_the_bit(folder, game):
    hits = [event for event in game.events() if event.kind == "hit" and event.agent == 3]
    assert hits, "the player hit somebody"
    assert played(folder, strikes=False).digest() != game.digest()
    digest = game.digest()
    other = played(folder, strikes=True)
    other.seek(80)
    resume(other)
    for tick in range(80, STEPS):
        other.advance(PlayerInput(strike=tick % 20 == 0))
    assert other.digest() == digest


def test_a_replay_holds_crews_when_they_change_and_their_trees(game, folder):
    name = Folder(folder).save("fight.rec", game.file())
    data = zlib.decompress(replay_data(opened(Folder(folder), request_for(name)), 6, STEPS))
    head = json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])
    ticks = [tick for tick, _ in head["crews"]]
    assert ticks == sorted(set(ticks))
    assert 3 < len(ticks) < STEPS // 2
    assert head["crews"][0][1]["asks"] == [[2, "wait (1)"]]
    game.seek(STEPS)
    assert head["crews"][-1][1]["crews"] == msgspec.to_builtins(crews_now(game).crews)
    duty = next(one["duty"] for one in reversed(head["accounts"][0]) if one["duty"])
    lines = head["hello"]["crews"]["trees"][head["hello"]["crews"]["objectives"].index(duty["objective"])]
    assert len(duty["tree"]) == len(lines)
    assert 0.0 < duty["since"] < STEPS * game.recording.about.step
    assert head["hello"]["fights"]["health"] == [100, 100, 100, 70]


def test_pages_hear_of_crews_as_they_form_and_may_strike(folder):
    with serving(folder, "fight.yaml") as served, served.page() as page:
        assert page.hello["crews"]["objectives"] == ["fight", "wait"]
        page.say("input", strike=True)
        page.say("input")  # once means once, also where the next input comes before the next step
        page.say("step", ticks=60)
        page.settle()
        told = [text for text in page.heard if text["type"] == "crews"]
        assert told[0]["crews"] == []
        assert told[-1]["crews"][0]["members"] == [0, 1, 2]
        inputs = [event for event in served.studio.director.game.recording.events() if event.kind == "input"]
        assert [event.strike for event in inputs] == [True, False]
        assert page.frames[-1]["fights"]["f0"].tolist()[:3] == [100, 100, 100]


def test_a_strike_is_true_or_false():
    assert parse_message('{"type": "input", "strike": true}').strike is True
    with pytest.raises(InputError, match="strike"):
        parse_message('{"type": "input", "strike": 1}')
