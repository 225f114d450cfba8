"""A recording that keeps its events answers as any other."""

import pytest

from lastseen.simulation.recording.recording import Recording, RememberedRecording
from specimens.recordings import LOST, recorded


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return recorded(LOST, tmp_path_factory.mktemp("remembered") / "lost.rec")


@pytest.mark.parametrize("span", [(), (0, 0), (40, 60), (45,), (0, 10_000), (600,), (60, 40)])
def test_the_same_events(path, span):
    plain, kept = Recording.read(path), RememberedRecording.read(path)
    for _ in range(2):
        assert list(kept.events(*span)) == list(plain.events(*span))


def test_chunks_are_unpacked_once(path, monkeypatch):
    kept = RememberedRecording.read(path)
    happened = list(kept.events())
    monkeypatch.setattr(kept, "_chunk", None)
    assert list(kept.events(0, 525)) == happened
