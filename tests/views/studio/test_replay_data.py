"""A run as one piece of data: undone by hand, it is what a page would have been sent."""

import json
import re
import zlib

import msgspec
import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.simulation.replay.account import account_of
from lastseen.views.prose.story import story_of
from lastseen.views.studio.answers import replay_page as module
from lastseen.views.studio.answers.replay_page import EVERY, replay_data, replay_page
from lastseen.views.studio.answers.survey import Survey, frame_to_survey
from lastseen.views.studio.protocol.layers import layer_kinds, packed_values
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage_opening import opened, request_for
from specimens.recordings import LOST, recorded
from studio.server import decoded

HOSTILE = "</script><img src=x onerror=alert(1)>"
GRAIN = 1.0 / 256.0


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    folder = tmp_path_factory.mktemp("replay_data")
    recorded(LOST, folder / "lost.rec")
    return opened(Folder(folder), request_for("lost.rec"))


class Undone:
    """The data taken apart, as its form says."""

    def __init__(self, data: bytes):
        raw = zlib.decompress(data)
        length = int.from_bytes(raw[:4], "little")
        self.head = json.loads(raw[4 : 4 + length])
        self.parts = {
            name: raw[4 + length + at : 4 + length + at + size] for name, (at, size) in self.head["parts"].items()
        }
        ticks = self.head["ticks"]
        planes = np.frombuffer(self.parts["fixed"], np.uint8).reshape(-1, ticks)
        self.fixed = np.bitwise_xor.accumulate(planes, axis=1).T
        self.rest = self.cut("rest", "lengths")
        self.keys = self.cut("keys", "key_lengths")

    def cut(self, name, lengths):
        ends = np.cumsum(np.frombuffer(self.parts[lengths], "<u4"))
        return [bytes(one) for one in np.split(np.frombuffer(self.parts[name], np.uint8), ends[:-1])]

    def frame(self, tick):
        return decoded(self.fixed[tick].tobytes() + self.rest[tick])


def test_a_step_that_took_long_is_no_trouble(stage, monkeypatch):
    now = Game.now

    def slow(game):
        columns, layers = now(game)
        return {**columns, "cost": np.full_like(columns["cost"], 400.0)}, layers

    whole = replay_data(stage)
    monkeypatch.setattr(Game, "now", slow)
    assert replay_data(stage) == whole


def test_every_frame_is_that_of_the_game(stage):
    undone, game = Undone(replay_data(stage)), Game(stage)
    assert undone.head["ticks"] == game.ticks == len(undone.fixed)
    game.read_search()
    held = None
    for tick in range(game.ticks):
        game.seek(tick)
        frame, (columns, layers) = undone.frame(tick), game.now()
        assert frame["tick"] == tick
        np.testing.assert_allclose(frame["numbers"][:, :3], columns["xyz"], atol=GRAIN)
        np.testing.assert_array_equal(frame["marks"][:, 0], columns["state"])
        np.testing.assert_allclose(frame["awareness"], columns["awareness"], atol=GRAIN)
        if tick % EVERY == 0:
            key = decoded(undone.keys[tick // EVERY])
            held = [np.zeros(len(one), np.int8) for one in layers]
            for layer, (cells, values) in key["layers"].items():
                held[layer][cells] = values
        else:
            for layer, (cells, values) in frame["layers"].items():
                held[layer][cells] = values
        for kept, now in zip(held, layers, strict=True):
            np.testing.assert_array_equal(kept, now)
        assert undone.parts["digests"][8 * tick : 8 * tick + 8].hex() == game.digest()


def test_what_guards_see_is_in_every_third_frame(stage):
    undone = Undone(replay_data(stage, 0, 30))
    seen = [sorted(undone.frame(tick)["views"]) for tick in range(31)]
    assert seen[::3] == [[0]] * 11
    assert not any(seen[1::3] + seen[2::3])


def test_a_stretch_begins_with_step_0(stage):
    whole, part = Undone(replay_data(stage)), Undone(replay_data(stage, 100, 219))
    assert part.head["ticks"] == 120
    assert [part.frame(tick)["tick"] for tick in (0, 119)] == [0, 119]
    np.testing.assert_array_equal(part.frame(5)["numbers"], whole.frame(105)["numbers"])
    events = [one for one in whole.head["events"] if 100 <= one["tick"] <= 219]
    begun, shifted = part.head["events"][:2], part.head["events"][2:]
    assert [(one["tick"], one["kind"]) for one in begun] == [(0, "state")] * 2
    assert [one | {"tick": one["tick"] + 100} for one in shifted] == events
    assert all(0 <= one["tick"] < 120 for one in part.head["story"])


def test_accounts_are_those_of_why_each_second_and_at_changes(stage):
    head = Undone(replay_data(stage)).head
    kept, recording = head["accounts"][0], stage.recording
    changed = {one["tick"] for one in head["events"] if one["kind"] == "state" and one["agent"] == 0}
    assert {0, 30, 60} | changed <= {one["tick"] for one in kept}
    for one in kept:
        real = account_of(recording, "Ames", one["tick"] * recording.about.step)
        assert one["state"] == real.state
        assert one["tree"] == [[node.status, node.reason] for node in real.tree]
        assert len(one["tree"]) == len(head["hello"]["agents"][0]["tree"])
    assert [one["text"] for one in head["story"]] == [one.text for one in story_of(recording)]


def test_every_layer_that_is_offered_in_play_is_surveyed_each_second(stage, monkeypatch):
    undone, game = Undone(replay_data(stage, 60, 150, surveys=True)), Game(stage)
    kinds = [kind for kind in layer_kinds(stage) if kind.is_offered]
    assert undone.head["hello"]["layers"] == [msgspec.to_builtins(kind) for kind in kinds]
    assert "surveys" not in Undone(replay_data(stage, 60, 62)).parts
    planes = np.frombuffer(undone.parts["surveys"], np.uint8).reshape(-1, 4)
    found = np.bitwise_xor.accumulate(planes, axis=1).T.reshape(4, len(kinds) - 2, len(stage.layout))
    notes = game.recording.about.notes
    survey = Survey(stage, *(np.array(notes[name], np.int32) for name in ("watchers", "targets")))
    assert undone.head["stride"] == 30
    for number, tick in enumerate((60, 90, 120, 150)):
        game.seek(tick)
        frame = frame_to_survey(game)
        for at, kind in enumerate(kinds[2:]):
            expected = packed_values(kind, survey.values(kind.name, frame))
            np.testing.assert_array_equal(found[number, at], expected, err_msg=kind.name)
    assert (found.reshape(4, -1) != found[0].reshape(-1)).any()
    monkeypatch.setattr(module, "MOST_SURVEY_BYTES", 2 * found[0].size)
    assert Undone(replay_data(stage, 60, 150, surveys=True)).head["stride"] == 60


def test_too_long_a_stretch_is_refused(stage, monkeypatch):
    monkeypatch.setattr(module, "MOST_SECONDS", 2.0)
    with pytest.raises(InputError, match=r"18 s are too long for one replay; choose at most 2 s"):
        replay_data(stage)
    assert replay_data(stage, 0, 59)
    monkeypatch.setattr(module, "MOST_BYTES", 3_000)
    with pytest.raises(InputError, match=r"the first 0 s already fill a replay"):
        replay_data(stage, 0, 59)


def test_hostile_names_cannot_leave_the_data(tmp_path):
    text = LOST.replace("name: lost", f"name: '{HOSTILE}'").replace("name: Ames", f"name: '{HOSTILE}'")
    recorded(text, tmp_path / "hostile.rec")
    page = replay_page(opened(Folder(tmp_path), request_for("hostile.rec"))).decode()
    assert "onerror" not in page.replace("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;", "")
    embedded = re.search(r'<script type="text/plain" id="embedded">([^<]*)</script>', page)[1]
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", embedded)
    assert page.count("</script>") == page.count("<script") == 2


def test_the_same_run_gives_the_same_page(stage):
    assert replay_page(stage, 0, 60) == replay_page(stage, 0, 60)
