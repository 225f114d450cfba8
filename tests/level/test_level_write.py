"""What is written as GeoJSON comes back equal to the last bit, whatever was drawn."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from level_strategies import levels

from lastseen.errors import InputError, LevelError
from lastseen.level.features import Obstacle, Spawn
from lastseen.level.level import ConvexFaces, Floor, Floors, Level, TileFloor, Tiles, TriangleSoup
from lastseen.level.read import read_level
from lastseen.level.readers import geojson
from lastseen.level.samples import SAMPLES, sample
from lastseen.level.write import to_geojson, write_level

SQUARE = np.array([[0.0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]])


@settings(max_examples=60)
@given(levels)
def test_every_level_comes_back_equal(level: Level) -> None:
    again = geojson.read(to_geojson(level), "again.geojson")
    for field in dataclasses.fields(level):
        if field.name != "source":
            alone = dataclasses.replace(level, **{field.name: getattr(again, field.name)})
            assert alone == level, field.name


@settings(max_examples=40)
@given(levels)
def test_what_is_written_is_standard_geojson(level: Level) -> None:
    tree = json.loads(to_geojson(level))
    assert tree["type"] == "FeatureCollection"
    for feature in tree["features"]:
        assert feature["type"] == "Feature"
        shape, coordinates = feature["geometry"]["type"], feature["geometry"]["coordinates"]
        assert isinstance(feature["properties"]["kind"], str)
        if shape == "LineString":
            assert len(coordinates) >= 2
        if shape == "Polygon":
            assert all(ring[0] == ring[-1] for ring in coordinates if ring)


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_come_back_equal_through_a_file(name: str, tmp_path: Path) -> None:
    level = sample(name)
    path = tmp_path / "level.geojson"
    write_level(level, path)
    again = read_level(path)
    assert again == level
    assert again.source == str(path)


REAL = [
    "gram/COD4Shipment_Explorability.json",
    "gram/LevelDesigner1_3D_visualizer.json",
    "gram/MGS_PCGEnemy.json",
    "gram/Pedro_3D_visualizer.json",
    "gram/Smith1_controller.json",
    "movingai/arena.map",
    "movingai/lak303d.map",
    "polyanya/arena-merged.mesh",
    "recast/nav_test.obj",
]


@pytest.mark.data
@pytest.mark.parametrize("name", REAL)
def test_real_files_come_back_equal(name: str, data: Path, tmp_path: Path) -> None:
    level = read_level(data / name)
    write_level(level, tmp_path / "level.geojson")
    assert read_level(tmp_path / "level.geojson") == level


def test_the_same_level_gives_the_same_bytes() -> None:
    assert to_geojson(sample("house")) == to_geojson(sample("house"))


def test_numpy_and_whole_numbers_are_written_like_any_other() -> None:
    level = Level(Floors((Floor(SQUARE),)), obstacles=(Obstacle([[1, 1], [2, 1], [2, 2]], np.float64(0.5), 2),))
    assert geojson.read(to_geojson(level), "x") == level


@pytest.mark.parametrize(
    ("level", "what"),
    [
        (Level(Floors((Floor(SQUARE * np.nan),))), r"floors\[0\].*nan"),
        (Level(Floors((Floor(SQUARE),)), spawns=(Spawn((1.0, np.inf, 0.0), name="bob"),)), r"spawns\[0\] \(bob\).*inf"),
        (Level(Floors((Floor(SQUARE),)), spawns=(Spawn((1.0, 1.0, 0.0), speed=np.nan),)), "speed is nan"),
        (Level(Floors((Floor(SQUARE),)), spawns=(Spawn((1.0,)),)), "3 numbers"),  # type: ignore[arg-type]
        (Level(Floors((Floor(SQUARE[:, :2]),))), r"shape \(4, 2\)"),
        (Level(Tiles((TileFloor(np.ones((2, 2), bool), tile=np.inf),))), "tile is inf"),
        (Level(TriangleSoup(SQUARE, [[0, 1, 4]])), "vertices 0 to 4; there are 4"),  # type: ignore[arg-type]
        (Level(ConvexFaces(SQUARE, [0, 3], [0, 1, 2, 3])), "face_start"),  # type: ignore[arg-type]
        (Level(Floors((Floor(SQUARE),)), name="\ud800"), "lone surrogates"),
    ],
)
def test_what_no_file_can_hold_is_refused_and_nothing_written(level: Level, what: str, tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=what):
        write_level(level, tmp_path / "level.geojson")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        write_level(sample("corridor"), tmp_path / "absent" / "level.geojson")
