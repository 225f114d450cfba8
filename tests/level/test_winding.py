"""Meshes wound the wrong way round are warned of, and sound ones are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.check import find_faults
from lastseen.level.level import Level, TriangleSoup
from lastseen.level.read import inspect_level, read_level
from specimens.soups import box, join, plate, quad, room, stairs


def flipped(soup: TriangleSoup) -> TriangleSoup:
    return TriangleSoup(soup.vertices_xyz, soup.triangles[:, ::-1])


def warned(soup: TriangleSoup) -> bool:
    return any("winding appears to be flipped" in fault.what for fault in find_faults(Level(soup)))


def ceiling(x0: float, y0: float, x1: float, y1: float, z: float) -> TriangleSoup:
    return flipped(plate(x0, y0, x1, y1, z))


def pillars(height: float) -> TriangleSoup:
    return join(*(box(x, y, 0.0, x + 1, y + 1, height) for x in (1, 4, 7) for y in (1, 4, 7)))


SOUND = {
    "a floor with crates": join(plate(0, 0, 10, 10), pillars(1.0)),
    "a slab": box(0, 0, -0.3, 10, 10, 0.0),
    "slabs one above the other": join(box(0, 0, -0.3, 10, 10, 0.0), box(0, 0, 2.7, 10, 10, 3.0)),
    "a room with walls": room(0, 0, 10, 10),
    "stairs": join(plate(-2, 0, 8, 4), stairs(0, 0, 2, 0.0, 10, 0.2, 0.4)),
    "a floor and its ceiling": join(plate(0, 0, 10, 10), ceiling(0, 0, 10, 10, 3.0)),
    "a closed room with pillars up to its ceiling": join(plate(0, 0, 10, 10), ceiling(0, 0, 10, 10, 3.0), pillars(3.0)),
    "a solid block": box(0, 0, -5, 10, 10, 0.0),
    "some triangles the wrong way round": join(plate(0, 0, 10, 6), ceiling(0, 6, 10, 10, 0.0)),
    "both sides of every triangle": join(plate(0, 0, 10, 10), ceiling(0, 0, 10, 10, 0.0)),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_meshes_are_not_doubted(name: str) -> None:
    assert not warned(SOUND[name])


FLIPPED = {
    "most of a floor": join(ceiling(0, 0, 10, 6, 0.0), plate(0, 6, 10, 10)),
    "a floor with low crates": flipped(SOUND["a floor with crates"]),
    "a slab": flipped(SOUND["a slab"]),
    "slabs one above the other": flipped(SOUND["slabs one above the other"]),
    "a room with walls": flipped(SOUND["a room with walls"]),
    "stairs": flipped(SOUND["stairs"]),
}


@pytest.mark.parametrize("name", FLIPPED)
def test_flipped_meshes_are_doubted(name: str) -> None:
    assert warned(FLIPPED[name])


def test_areas_count_as_seen_from_above() -> None:
    steep = join(*(quad((0, y, 0), (10, y, 0), (10, y + 0.1, 30), (0, y + 0.1, 30)) for y in range(10)))
    assert not warned(join(plate(0, 0, 10, 10), flipped(steep)))  # 30 times as large, but 10 m² seen from above
    assert warned(join(ceiling(0, 0, 10, 10, 0.0), steep, plate(20, 0, 21, 1)))


def test_huge_meshes_are_looked_at_in_fewer_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastseen.level.check_meshes.MOST_PAIRS", 200)
    assert warned(FLIPPED["a slab"])
    assert not warned(SOUND["a slab"])


def obj(soup: TriangleSoup) -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in soup.vertices_xyz.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (soup.triangles + 1).tolist()]
    return "\n".join(lines).encode()


def test_a_file_read_flipped_has_its_triangles_the_other_way_round(tmp_path: Path) -> None:
    path = tmp_path / "slab.obj"
    path.write_bytes(obj(FLIPPED["a slab"]))
    _, faults = inspect_level(path, up="z")
    (fault,) = faults
    assert fault.severity == "warning"
    assert "--flip" in fault.advice
    level, faults = inspect_level(path, up="z", flip=True)
    assert faults == ()
    assert level == Level(SOUND["a slab"], name="slab")
    assert Level.read(path, up="z", flip=True) == level


def test_flip_is_for_meshes_only(tmp_path: Path) -> None:
    path = tmp_path / "rooms.txt"
    path.write_text("....\n....\n")
    with pytest.raises(InputError, match="flip applies only to triangle meshes"):
        read_level(path, flip=True)
    with pytest.raises(InputError, match="flip is 1"):
        read_level(path, flip=1)  # type: ignore[arg-type]


@pytest.mark.data
@pytest.mark.parametrize("name", ["dungeon", "nav_test"])
def test_the_recast_meshes_warn_when_flipped_only(data: Path, name: str) -> None:
    path = data / "recast" / f"{name}.obj"
    level, faults = inspect_level(path)
    assert faults == ()
    again, faults = inspect_level(path, flip=True)
    assert any("winding" in fault.what for fault in faults)
    assert level is not None
    assert again is not None
    assert isinstance(level.surface, TriangleSoup)
    assert isinstance(again.surface, TriangleSoup)
    np.testing.assert_array_equal(level.surface.triangles[:, ::-1], again.surface.triangles)
