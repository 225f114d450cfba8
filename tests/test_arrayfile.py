from __future__ import annotations

import struct

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lastseen import arrayfile
from lastseen.errors import CellFileError, InputError


class About(msgspec.Struct, forbid_unknown_fields=True):
    word: str = ""


ARRAYS = {"a": np.arange(5, dtype=np.uint16), "empty": np.zeros((0, 3), np.float32), "b": np.eye(3)}
WHOLE = arrayfile.encode("test", 2, ARRAYS, About("hello"))


def decode(data: bytes) -> arrayfile.ArrayFile[About]:
    return arrayfile.decode(data, "test", 2, About)


def sealed(header: bytes, payload: bytes = b"", version: int = 1) -> bytes:
    """A file with a true digest, whatever it says."""
    start = struct.pack("<8sII", b"lastseen", version, len(header))
    return start + arrayfile._digest(start, memoryview(header + payload)) + header + payload


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "x.cells"
    arrayfile.write(path, "test", 2, ARRAYS, About("hello"))
    assert path.read_bytes() == WHOLE
    file = arrayfile.read(path, "test", 3, About)
    assert file.meta == About("hello")
    assert file.version == 2
    assert list(file.arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert file.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(file.arrays[name], array)
        assert not file.arrays[name].flags.writeable
        assert file.arrays[name].flags.aligned


@given(
    st.dictionaries(
        st.text(max_size=8),
        hnp.arrays(
            st.sampled_from([np.uint8, np.int16, np.uint32, np.int64, np.float32, np.float64]),
            hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
        ),
        max_size=4,
    )
)
def test_any_arrays_survive(arrays):
    back = arrayfile.decode(arrayfile.encode("k", 1, arrays, About()), "k", 1, About).arrays
    assert list(back) == list(arrays)
    for name, array in arrays.items():
        assert back[name].dtype == array.dtype
        assert back[name].shape == array.shape
        assert back[name].tobytes() == array.tobytes()


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_any_changed_byte_is_noticed(place, change):
    damaged = bytearray(WHOLE)
    damaged[place] ^= change
    with pytest.raises(CellFileError, match="bytes: "):
        decode(bytes(damaged))


@given(st.integers(0, len(WHOLE) - 1))
def test_any_truncation_is_noticed(length):
    with pytest.raises(CellFileError):
        decode(WHOLE[:length])


def test_more_than_was_written_is_noticed():
    with pytest.raises(CellFileError, match="damaged"):
        decode(WHOLE + b"x")


@given(st.binary(max_size=200))
def test_foreign_bytes_are_told_apart(data):
    with pytest.raises(CellFileError):
        decode(data)


@pytest.mark.parametrize(
    ("header", "word"),
    [
        ({"kind": "other", "version": 1, "arrays": []}, "holds a 'other', expected a 'test'"),
        ({"kind": "test", "version": 9, "arrays": []}, "test version 9, but this lastseen reads 1 … 2; update"),
        ({"kind": "test", "version": 0, "arrays": []}, "version 0"),
        ({"kind": "test", "version": 1, "arrays": [], "more": 1}, "header"),
        ({"kind": "test", "version": 1, "arrays": [["a"]]}, "header"),
        ({"kind": "test", "version": 1, "arrays": [{"name": "a", "dtype": "|O", "shape": [1], "offset": 0}]}, "type"),
        (
            {"kind": "test", "version": 1, "arrays": [{"name": "a", "dtype": "<f8", "shape": [10**12], "offset": 0}]},
            "claims bytes 0 … 8000000000000 of 64",
        ),
        (
            {
                "kind": "test",
                "version": 1,
                "arrays": [{"name": "a", "dtype": "<f8", "shape": [0, 10**30], "offset": 0}],
            },
            "shape",
        ),
        (
            {"kind": "test", "version": 1, "arrays": [{"name": "a", "dtype": "<f8", "shape": [-1, -8], "offset": 0}]},
            "shape",
        ),
        (
            {"kind": "test", "version": 1, "arrays": [{"name": "a", "dtype": "|u1", "shape": [64], "offset": 8}]},
            "claims",
        ),
        (
            {"kind": "test", "version": 1, "arrays": [{"name": "a", "dtype": "|u1", "shape": [64], "offset": 0}] * 2},
            "claims",
        ),
        ({"kind": "test", "version": 1, "arrays": [], "meta": {"word": 3}}, "lists 0"),
    ],
)
def test_a_sealed_lie_is_told(header, word):
    with pytest.raises(CellFileError, match=word):
        decode(sealed(msgspec.json.encode(header), bytes(64)))


def test_the_metadata_must_fit():
    header = {"kind": "test", "version": 1, "arrays": [], "meta": {"word": 3}}
    with pytest.raises(CellFileError, match="metadata"):
        decode(sealed(msgspec.json.encode(header)))


def test_a_newer_container_says_to_update():
    with pytest.raises(CellFileError, match="container version 7, but this lastseen reads 1 … 1; update lastseen"):
        decode(sealed(b"{}", version=7))


def test_a_header_beyond_reason_is_refused():
    with pytest.raises(CellFileError, match="header claims"):
        decode(struct.pack("<8sII32s", b"lastseen", 1, 2**32 - 1, bytes(32)))


def test_missing_and_odd_files_are_told(tmp_path):
    for path in (tmp_path / "none.cells", tmp_path):
        with pytest.raises(CellFileError, match="cannot be read"):
            arrayfile.read(path, "test", 1, About)
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(CellFileError, match="the file is empty"):
        arrayfile.read(tmp_path / "empty", "test", 1, About)
    with pytest.raises(CellFileError):
        arrayfile.read("a\0b", "test", 1, About)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(CellFileError, match="not a lastseen file"):
        arrayfile.read(tmp_path / "picture.png", "test", 1, About)


def test_a_failed_write_leaves_the_old_file(tmp_path):
    with pytest.raises(InputError, match="cannot write"):
        arrayfile.write(tmp_path / "no" / "x", "test", 1, {}, About())
    with pytest.raises(TypeError, match="dtype"):
        arrayfile.write(tmp_path / "x", "test", 1, {"o": np.array([None])}, About())
    assert list(tmp_path.iterdir()) == []
