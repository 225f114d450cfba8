"""Chunks come back to the bit whatever their numbers; forged ones are refused in words."""

from __future__ import annotations

import hypothesis.extra.numpy as hnp
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import RecordingError
from lastseen.simulation.recording.format import FRAMES, About, Body, Column, LayerColumn, decoded, encoded
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.writer import chunk_bytes, head_bytes

DTYPES = ("|u1", "|i1", "|b1", "<i2", "<f4", "<f8", "<u8")


@st.composite
def columns(draw: st.DrawFn) -> list[np.ndarray]:
    """Columns of one number of ticks, also empty ones; some numbers of each do not change."""
    ticks = draw(st.integers(1, 6))
    made = []
    for _ in range(draw(st.integers(0, 3))):
        shape = draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=9))
        values = draw(hnp.arrays(draw(st.sampled_from(DTYPES)), (ticks, *shape)))
        still = draw(hnp.arrays(bool, shape))
        made.append(np.ascontiguousarray(np.where(still, values[:1], values).astype(values.dtype)))
    return made or [np.zeros((ticks, 1), np.uint8)]


@given(columns())
def test_columns_come_back_to_the_bit(given_columns: list[np.ndarray]) -> None:
    ticks = len(given_columns[0])
    layer, places = np.arange(4, dtype="<i2"), np.array([[0, 70_000], [5, 0], [1, 0]])
    changes = (np.arange(ticks) % 4, np.arange(ticks, dtype="<i2"))
    body = Body([], [(0, 1, 2, "why")], ["a", "b"], [[1] * ticks])
    raw = encoded(given_columns, [layer], [changes], body, places)
    about = [Column(str(number), one.dtype.str, one.shape[1:]) for number, one in enumerate(given_columns)]
    found = decoded(raw, ticks, about, [LayerColumn("heat", "<i2", 4)])
    assert found[0] == body
    assert found[1].tolist() == places.tolist()
    for one, other in zip(given_columns, found[2], strict=True):
        assert (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    assert found[3][0].tolist() == layer.tolist()
    assert [part.tolist() for part in found[4][0]] == [part.tolist() for part in changes]


def test_numbers_are_compared_by_their_bits() -> None:
    quiet, loud = np.frombuffer(np.array([0x7FC00000, 0x7FC00001], "<u4").tobytes(), "<f4")
    column = np.array([[0.0, quiet], [-0.0, loud], [-0.0, loud]], "<f4")
    raw = encoded([column], [], [], Body([], [], [], []), np.zeros((3, 0)))
    assert decoded(raw, 3, [Column("a", "<f4", (2,))], [])[2][0].tobytes() == column.tobytes()


def test_what_stays_takes_room_once() -> None:
    nothing = Body([], [], [], []), np.zeros((3, 0))
    still = np.full((30, 800), 7.0, "<f4")
    moving = still.copy()
    moving[:, 5] = np.arange(30)
    empty = len(encoded([], [], [], *nothing))
    assert len(encoded([still], [], [], *nothing)) - empty == 800 * 4 + 100
    assert len(encoded([moving], [], [], *nothing)) - empty == 800 * 4 + 100 + 29 * 4


ABOUT = About("0", "{}", "{}", 0, 0.1, ("a",), (Column("x", "<f4", (2,)),), (LayerColumn("heat", "|i1", 3),))


def forged(*, ticks: int = 1, said: int | None = None, end: bytes = b"", **changes: object) -> Recording:
    """Read a chunk that is sealed but false."""
    body = msgspec.structs.replace(Body([], [], ["a"], [[0] * ticks]), **changes)
    raw = encoded([np.ones((ticks, 2), "<f4")], [np.zeros(3, np.int8)], [], body, np.array([[0], [0], [0]]))
    data = head_bytes(ABOUT) + chunk_bytes(FRAMES, 0, ticks if said is None else said, raw + end)
    return Recording("forged", data)


def test_the_forgery_is_sound_but_for_its_fault() -> None:
    assert forged().frame(0).texts == {(0, 0): "a"}
    assert forged(ticks=3).frame(2).columns["x"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"said": 4_000_000_000}, "4000000000 steps"),
        ({"said": 2}, "match the head"),
        ({"words": []}, "beyond its 0"),
        ({"layer_changes": []}, "match the head"),
        ({"layer_changes": [[-1]]}, "negative number"),
        ({"layer_changes": [[1]]}, "fewer bytes"),
        ({"end": b"more"}, "more bytes"),
    ],
)
def test_a_sealed_chunk_with_wrong_numbers_is_refused(change: dict[str, object], words: str) -> None:
    recording = forged(**change)  # type: ignore[arg-type]
    with pytest.raises(RecordingError, match=words):
        recording.frame(0)


def test_a_chunk_of_no_steps_is_damage() -> None:
    recording = forged(said=0)
    assert (len(recording), recording.fault) == (0, "chunk 1 is damaged; readable up to 0.0 s")
