"""A level gives the same cells through every door: library, commands, scenarios, sweeps and the studio."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from lastseen.cells.cell_file import load_baked
from lastseen.cells.layout import CellLayout
from lastseen.compilation.preparation import kernels_on_demand
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.samples import SAMPLES, sample
from lastseen.navmesh.body import Body
from lastseen.simulation.experiments.harness.experiment import Job, Kept, baked
from lastseen.simulation.experiments.search.beginnings import TrialSettings
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.views.cli.app.main import cli
from lastseen.views.studio.session.stage import stage_of_level


def digest(layout: CellLayout) -> str:
    """Return a digest of all cells, links and faces."""
    found = hashlib.blake2b()
    for array in (*layout.arrays, layout.cell_face, layout.face_cells, *layout.mesh.arrays):
        found.update(repr((array.shape, array.dtype)).encode() + np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def swept(name: str, level: Level, cell: float | None, radius: float | None) -> CellLayout:
    return baked(Job(name, level, 0, {}, {}, Kept()), cell, radius)


def answer(*words: object) -> dict[str, object]:
    """Return what `lastseen chase` says, without its times."""
    done = CliRunner().invoke(cli, ["chase", *map(str, words), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    return {name: value for name, value in told.items() if name not in ("level", "took_seconds", "compile_seconds")}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_door_gives_the_same_cells(name: str, tmp_path: Path) -> None:
    level, file, search = sample(name), tmp_path / "baked.cells", TrialSettings()
    layout = CellLayout.from_level(level)
    done = CliRunner().invoke(cli, ["bake", name, "-o", str(file), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["cells"] == len(layout)
    x, y, z = layout.arrays.cell_xyz[len(layout) // 2].tolist()
    with kernels_on_demand():
        world = make_world(
            parse_scenario(f"level: {name}\nagents: [{{name: you, brain: puppet, at: [{x}, {y}, {z}]}}]")
        )
    stored = load_baked(str(file)).layout
    doors = {
        "bake": stored,
        "scenario": world.cells.layout,
        "sweep of chases": swept(name, level, None, None),
        "sweep of searches": swept(name, level, search.cell, search.radius),
        "studio": stage_of_level(level, name).layout,
    }
    assert {door: digest(found) for door, found in doors.items()} == dict.fromkeys(doors, digest(layout))
    seen = ("--seen", f"{x},{y},{z}", "--heading", "1,0")
    assert answer(name, *seen) == answer(file, *seen)


def test_cells_are_as_wide_as_tiles_and_bodies_keep_off_walls() -> None:
    passable = np.ones((6, 8), np.bool_)
    level = Level(Tiles((TileFloor(passable, tile=0.5),)))
    layout = CellLayout.from_level(level)
    assert layout.arrays.size_xyz.tolist() == [0.5, 0.5, 2.0]
    assert layout.mesh.bounds_xyz[:, :2].tolist() == [[0.3, 0.3], [3.7, 2.7]]
    whole = CellLayout.from_level(level, Body(radius=0.0))
    assert len(whole) == passable.sum()
    assert len(CellLayout.from_level(level, Body(radius=0.0), cell=1.0)) == 12


def test_a_scenario_may_choose_its_cells() -> None:
    setting = parse_scenario(
        "level: rooms\nradius: 0.2\ncell: 0.5\nagents: [{name: you, brain: puppet, at: [3.5, 5.5]}]"
    )
    with kernels_on_demand():
        world = make_world(setting)
    assert digest(world.cells.layout) == digest(CellLayout.from_level(setting.level, Body(radius=0.2), cell=0.5))
    assert msgspec.json.decode(msgspec.json.encode(world.scenario))["cell"] == 0.5
