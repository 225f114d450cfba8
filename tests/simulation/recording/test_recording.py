"""Recordings come back as they were, from any moment on, and survive cuts and damage up to them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import LastSeenError, RecordingError
from lastseen.simulation.recording.format import CHUNK, HEAD, MAGIC, VERSION, About, Column, LayerColumn, digest_of
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.writer import Recorder
from lastseen.vocabulary.events import Said

ABOUT = About(
    lastseen="0",
    scenario="{}",
    level="rooms",
    seed=3,
    step=0.1,
    agents=("Ada", "Bob"),
    columns=(Column("xyz", "<f4", (2, 3)), Column("mode", "|u1", (2,))),
    layers=(LayerColumn("search", "|i1", 50),),
)


def written(path: Path, ticks: int = 25, every: int = 10, *, close: bool = True) -> list[tuple[np.ndarray, np.ndarray]]:
    """Record `ticks` random steps; return their places and layers."""
    random = np.random.default_rng(0)
    recorder, truth = Recorder(path, ABOUT, every=every), []
    layer = np.zeros(50, np.int8)
    for tick in range(ticks):
        place = random.normal(size=(2, 3)).astype(np.float32)
        layer[random.integers(0, 50, 5)] = random.integers(-5, 120, 5)
        events = [Said(tick, 1, line=f"line {tick}", tier=tick)] if tick % 3 == 0 else []
        recorder.add([place, np.array([tick % 4, 1])], [layer], events, [(0, tick % 2, f"why {tick // 5}")])
        truth.append((place, layer.copy()))
    if close:
        recorder.close("escaped", "abc")
    else:
        recorder.abandon()
    return truth


def test_every_moment_comes_back_to_the_bit(tmp_path: Path) -> None:
    truth = written(tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    assert (len(recording), recording.fault) == (25, "")
    assert recording.end is not None
    assert (recording.end.reason, recording.end.ticks, recording.end.digest) == ("escaped", 25, "abc")
    for tick in (0, 9, 10, 24, 3):
        frame = recording.frame(tick)
        assert frame.columns["xyz"].tobytes() == truth[tick][0].tobytes()
        assert frame.columns["mode"].tolist() == [tick % 4, 1]
        assert frame.layers["search"].tolist() == truth[tick][1].tolist()
    assert recording.column("xyz").tobytes() == np.stack([place for place, _ in truth]).tobytes()


def test_texts_hold_until_they_change_also_over_chunks(tmp_path: Path) -> None:
    written(tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    for tick in range(25):
        words = recording.frame(tick).texts
        for slot in (0, 1):
            last = tick if tick % 2 == slot else tick - 1
            assert words.get((0, slot)) == (f"why {last // 5}" if last >= 0 else None)


def test_events_are_found_by_time(tmp_path: Path) -> None:
    written(tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    assert [event.tick for event in recording.events()] == list(range(0, 25, 3))
    assert [event.tier for event in recording.events(8, 15)] == [9, 12, 15]
    assert recording.tick_at(1.2) == 12
    assert recording.tick_at(99.0) == 24


def test_a_run_that_was_killed_is_readable_up_to_its_last_flush(tmp_path: Path) -> None:
    truth = written(tmp_path / "run.rec", close=False)
    with pytest.raises(RecordingError, match=r"left .*run\.rec\.part"):
        Recording.read(tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec.part")
    assert "did not end" in recording.fault
    assert recording.frame(24).columns["xyz"].tobytes() == truth[24][0].tobytes()


def test_full_chunks_are_in_the_file_at_once(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run.rec", ABOUT, every=10)
    for tick in range(25):
        recorder.add([np.full((2, 3), tick), np.zeros(2)], [np.zeros(50, np.int8)])
        found = Recording.read(tmp_path / "run.rec.part")  # what another program sees, and a killed run leaves
        assert len(found) == (tick + 1) // 10 * 10
        if len(found):
            assert found.frame(len(found) - 1).columns["xyz"].max() == len(found) - 1
    recorder.abandon()


def test_an_older_recording_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    written(tmp_path / "run.rec", ticks=5)
    before = (tmp_path / "run.rec").read_bytes()
    written(tmp_path / "run.rec", ticks=9, close=False)
    assert (tmp_path / "run.rec").read_bytes() == before


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[tuple[np.ndarray, np.ndarray]]]:
    path = tmp_path_factory.mktemp("sound") / "run.rec"
    truth = written(path)
    return path.read_bytes(), truth


def test_a_run_killed_at_any_byte_keeps_its_whole_chunks(
    sound: tuple[bytes, list[tuple[np.ndarray, np.ndarray]]],
) -> None:
    whole, truth = sound
    begin = HEAD.size + HEAD.unpack(whole[: HEAD.size])[2]
    steps = {begin: 0}  # by the byte they are whole at
    at = begin
    while at < len(whole):
        _, _, first, ticks, packed, _, _ = CHUNK.unpack(whole[at : at + CHUNK.size])
        at += CHUNK.size + packed
        steps[at] = first + ticks
    assert list(steps.values()) == [0, 10, 20, 25, 25]
    for length in range(begin):
        with pytest.raises(RecordingError):
            Recording("cut", whole[:length])
    known = 0
    for length in range(begin, len(whole)):
        known = steps.get(length, known)
        recording = Recording("cut", whole[:length])
        assert len(recording) == known
        assert recording.fault
        if length in steps and known:
            place, layer = truth[known - 1]
            frame = recording.frame(known - 1)
            assert frame.columns["xyz"].tobytes() == place.tobytes()
            assert frame.layers["search"].tolist() == layer.tolist()
            assert set(frame.texts.values()) == {f"why {(known - 1) // 5}"}
            assert [event.tick for event in recording.events()] == list(range(0, known, 3))


@given(st.data())
def test_whatever_is_cut_off_the_rest_is_true(
    sound: tuple[bytes, list[tuple[np.ndarray, np.ndarray]]], data: st.DataObject
) -> None:
    whole, truth = sound
    length = data.draw(st.integers(0, len(whole) - 1))
    try:
        recording = Recording("cut", whole[:length])
    except RecordingError:
        assert length < HEAD.size + 2000
        return
    assert recording.fault
    assert len(recording) in (0, 10, 20, 25)
    for tick in range(len(recording)):
        assert recording.frame(tick).columns["xyz"].tobytes() == truth[tick][0].tobytes()


@given(st.data())
def test_a_damaged_byte_is_noticed(
    sound: tuple[bytes, list[tuple[np.ndarray, np.ndarray]]], data: st.DataObject
) -> None:
    whole, truth = sound
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = bytearray(whole)
    damaged[at] ^= data.draw(st.integers(1, 255))
    try:
        recording = Recording("damaged", bytes(damaged))
    except RecordingError:
        return
    assert recording.fault
    for tick in range(len(recording)):
        assert recording.frame(tick).columns["xyz"].tobytes() == truth[tick][0].tobytes()


@given(st.binary(max_size=300))
def test_other_files_are_refused_in_words(data: bytes) -> None:
    with pytest.raises(RecordingError):
        Recording("other", data)
    with pytest.raises(RecordingError):
        Recording("other", b"lsrecord\x02\x00\x00\x00" + data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"step": 0.0}, "step"),
        ({"columns": (Column("xyz", "O", (2,)),)}, "head is invalid"),
        ({"columns": (Column("xyz", "<f4", (-2,)),)}, "head is invalid"),
        ({"layers": (LayerColumn("a", "<f4", 1 << 40),)}, "head is invalid"),
    ],
)
def test_a_sealed_head_with_wrong_numbers_is_refused(change: dict[str, object], words: str) -> None:
    head = msgspec.json.encode(msgspec.structs.replace(ABOUT, **change))
    with pytest.raises(RecordingError, match=words):
        Recording("forged", HEAD.pack(MAGIC, VERSION, len(head), digest_of(head)) + head)


@pytest.mark.parametrize(("form", "advice"), [(1, "record the"), (2, "record the"), (9, "update lastseen")])
def test_an_older_and_a_newer_form_are_refused(tmp_path: Path, form: int, advice: str) -> None:
    written(tmp_path / "run.rec")
    data = bytearray((tmp_path / "run.rec").read_bytes())
    data[8] = form
    with pytest.raises(RecordingError, match=f"recorded in format {form}, but .* reads format 3; {advice}"):
        Recording("other", bytes(data))


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    written(tmp_path / "run.rec", ticks=3)
    recording = Recording.read(tmp_path / "run.rec")
    with pytest.raises(RecordingError, match="no step 3"):
        recording.frame(3)
    with pytest.raises(RecordingError, match="it has xyz, mode"):
        recording.column("yzx")
    with pytest.raises(RecordingError, match="seconds is nan"):
        recording.tick_at(float("nan"))
    with pytest.raises(LastSeenError, match="cannot be written"):
        Recorder(tmp_path / "no" / "such" / "folder.rec", ABOUT)


def test_huge_steps_are_kept_in_shorter_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastseen.simulation.recording.writer.MOST_BYTES", 26 * 2 * 4)  # a step has 26 bytes
    truth = written(tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    assert (len(recording), recording.chunks) == (25, 7)
    assert recording.frame(24).columns["xyz"].tobytes() == truth[24][0].tobytes()


def test_what_does_not_change_costs_next_to_nothing(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "still.rec", ABOUT)
    for _ in range(300):
        recorder.add([np.ones((2, 3)), np.ones(2)], [np.ones(50, np.int8)])
    recorder.close("time over", "")
    assert (tmp_path / "still.rec").stat().st_size < 3000
