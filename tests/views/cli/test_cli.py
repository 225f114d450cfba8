"""The commands in this process, as `lastseen` would run them."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen.cells.cell_file import load_stored, save_layout
from lastseen.level.level import TriangleSoup
from lastseen.level.read import read_level
from lastseen.level.samples import SAMPLES, sample
from lastseen.views.cli.app.main import cli
from pictures import decoded, has_colours_of, share_of
from specimens.soups import box, join, plate

TEXT_MAP = "#######\n#P....#\n#.###.#\n#.....#\n#######\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        return CliRunner().invoke(cli, [str(argument) for argument in arguments])

    return runner


@pytest.fixture(scope="module")
def baked(tmp_path_factory):
    """A folder with the house baked in it."""
    folder = tmp_path_factory.mktemp("baked")
    result = CliRunner().invoke(cli, ["bake", "house", "-o", str(folder / "house.cells")])
    assert result.exit_code == 0, result.output
    return folder


def test_bake_prints_one_object(run):
    result = run("bake", "rooms", "-o", "rooms.cells", "--radius", 0, "--json")
    assert result.exit_code == 0
    assert not result.stderr or result.stderr.startswith("compiling kernels")
    report = json.loads(result.stdout)
    assert report["cells"] == 160  # its passable tiles, one by one
    assert report["floors"] == 1
    assert report["components"] == 1
    assert report["faces"] >= 1
    assert set(report["memory"]) >= {"cells", "connectivity", "access", "disabled"}
    assert report["memory_total"] == sum(report["memory"].values())
    assert list(report["took_seconds"]) == ["read", "navmesh", "cells", "write"]
    assert report["parameters"]["radius_m"] == 0.0
    assert report["parameters"]["cell_m"] == 1.0
    assert report["bytes"] == Path("rooms.cells").stat().st_size
    assert len(report["digest"]) == 32


@pytest.mark.parametrize("level", ["rooms", "house"])
def test_compiling_is_said_once_also_beside_json(run, monkeypatch, level):
    from numba.core import event

    from lastseen.cells import from_level

    def compiling(*args, **kwargs):
        for _ in range(2):
            with event.trigger_event("numba:compile", data={}), event.trigger_event("numba:compile", data={}):
                pass
        return build_navmesh(*args, **kwargs)

    build_navmesh = from_level.build_navmesh
    monkeypatch.setattr(from_level, "build_navmesh", compiling)
    result = run("bake", level, "-o", "out.cells", "--json")
    assert result.stderr.count("compiling kernels (first use only") == 1
    found = json.loads(result.stdout)
    assert found["cells"] > 100
    assert found["compiled_kernels"] >= 4
    assert found["compile_seconds"] > 0.0


def test_compiling_is_no_part_of_the_time_of_a_stage():
    from numba.core import event

    from lastseen.views.cli.app.console import Stages

    clock = [0.0]

    def stage(compiles):
        clock[0] += 3.0
        if compiles:
            with event.trigger_event("numba:compile", data={}), event.trigger_event("numba:compile", data={}):
                clock[0] += 20.0
        clock[0] += 1.0

    with Stages(quiet=True, clock=lambda: clock[0]) as stages:
        stages.run("read", stage, compiles=False)
        stages.watch_compiler()
        stages.run("bake", stage, compiles=True)
        stages.run("bake", stage, compiles=False)
    assert stages.timing() == {
        "took_seconds": {"read": 4.0, "bake": 8.0}, "compile_seconds": 20.0, "compiled_kernels": 2,
        "interpreted_kernels": 0,
    }  # fmt: skip


def test_without_a_terminal_a_line_every_few_seconds_says_how_far_the_compiler_is(capsys):
    from numba.core import event

    from lastseen.views.cli.app.console import Stages

    clock = [0.0]
    with Stages(quiet=True, clock=lambda: clock[0]) as stages:
        stages.watch_compiler()
        for _ in range(60):
            with event.trigger_event("numba:compile", data={}):
                clock[0] += 0.25
    first, *lines = capsys.readouterr().err.splitlines()
    assert first == "compiling kernels (first use only; `lastseen warmup` does it ahead)"
    assert lines == ["compiling kernel 20", "compiling kernel 40", "compiling kernel 60"]


def test_without_a_terminal_long_work_is_reported_once_a_minute_with_the_time_left(capsys):
    from lastseen.views.cli.app.console import Stages, TimeLeft

    clock = [0.0]
    with Stages(quiet=False, clock=lambda: clock[0]) as stages:
        left = TimeLeft(stages.progress, clock=lambda: clock[0])

        def work():
            for done in range(61):
                left(f"{done} of 60 tasks", done / 60)
                clock[0] += 2.5

        stages.run("sweep", work)
    assert capsys.readouterr().err.splitlines() == [
        "sweep: 24 of 60 tasks · about 2 min left (40 %)",
        "sweep: 48 of 60 tasks · about 30 s left (80 %)",
    ]


def test_on_a_terminal_the_bar_says_that_kernels_are_compiled(monkeypatch):
    import sys

    from numba.core import event

    from lastseen.views.cli.app import console

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with console.Stages(quiet=False) as stages:
        stages.watch_compiler()
        stages.progress("rasterise", 0.0)
        with event.trigger_event("numba:compile", data={}):
            assert "rasterise · compiling kernel 1 (first use only" in stages._description()
        assert "compiling" not in stages._description()
    with event.trigger_event("numba:compile", data={}):
        assert "compiling" not in stages._description()


def test_the_same_bake_gives_the_same_file(run):
    first, second = (json.loads(run("bake", "rooms", "-o", f"{n}.cells", "--json").stdout)["digest"] for n in (1, 2))
    assert first == second
    assert Path("1.cells").read_bytes() == Path("2.cells").read_bytes()


def test_bake_says_what_came_out_and_what_to_do_next(run):
    Path("my.txt").write_text(TEXT_MAP)
    result = run("bake", "my.txt", "-o", "my.cells", "--radius", 0.2, "--cell", 0.5, "--body", 1.0)
    assert result.exit_code == 0
    assert "cells" in result.stdout
    assert "lastseen show my.cells -o my.png" in result.stdout
    mesh = load_stored("my.cells").layout.mesh
    assert (mesh.body.radius, mesh.body.height) == (0.2, 1.0)


def test_bake_leaves_out_islands_as_small_as_it_is_told(run):
    soup = join(plate(0, 0, 6, 6), plate(10, 0, 12, 2))
    Path("islands.obj").write_text(wavefront(soup))
    bake = ("bake", "islands.obj", "--up", "z", "--radius", 0, "-o", "islands.cells")
    both = json.loads(run(*bake, "--json").stdout)
    one = json.loads(run(*bake, "--min-region", 9, "--json").stdout)
    assert (both["components"], one["components"]) == (2, 1)
    assert one["parameters"]["min_region_m2"] == 9
    none = run(*bake, "--min-region", 50)
    assert none.exit_code == 2
    assert "below min_region_area = 50 m²; allow smaller islands (`--min-region`)" in none.stderr


def test_options_for_triangles_are_refused_by_name_where_there_are_none(run):
    tiles = run("bake", "warehouse", "-o", "warehouse.cells", "--min-region", 3)
    assert tiles.exit_code == 2
    assert "warehouse: --min-region: an option for triangle meshes, which this level is not" in tiles.stderr
    assert "leave it out, or give --builder voxel" in tiles.stderr
    floors = run("bake", "rooms", "-o", "rooms.cells", "--voxel", 0.2, "--voxel-height", 0.1)
    assert "--voxel, --voxel-height: options for triangle meshes" in floors.stderr
    assert run("bake", "rooms", "-o", "rooms.cells", "--voxel", 0.2, "--builder", "voxel").exit_code == 0


def test_a_flipped_mesh_is_warned_of_and_can_be_flipped_back(run):
    slab = box(0, 0, -0.3, 8, 8, 0)
    Path("slab.obj").write_text(wavefront(TriangleSoup(slab.vertices_xyz, slab.triangles[:, ::-1])))
    words = run("level", "check", "slab.obj", "--up", "z")
    assert words.exit_code == 0
    assert "warning  the winding appears to be flipped" in words.stdout
    assert "--flip" in words.stdout
    bake = ("bake", "slab.obj", "--up", "z", "-o", "slab.cells", "--json")
    flipped = run(*bake)
    assert flipped.stderr.startswith("warning: slab.obj: the winding appears to be flipped: 100% of")
    right = run(*bake, "--flip")
    assert "warning" not in right.stderr
    assert load_stored("slab.cells").layout.mesh.arrays.vertex_xyz[:, 2].max() == pytest.approx(0.0, abs=1e-6)
    run("level", "convert", "slab.obj", "--up", "z", "--flip", "-o", "slab.geojson")
    assert run("level", "check", "slab.geojson").stdout == "slab.geojson: no faults\n"


def wavefront(soup):
    corners = [f"v {x} {y} {z}" for x, y, z in soup.vertices_xyz.tolist()]
    return "\n".join([*corners, *(f"f {a} {b} {c}" for a, b, c in (soup.triangles + 1).tolist())])


def test_a_file_wins_over_a_sample_of_the_same_name(run):
    Path("hall").write_text(TEXT_MAP)
    assert json.loads(run("bake", "hall", "-o", "a.cells", "--radius", 0, "--json").stdout)["cells"] == 12
    assert json.loads(run("bake", "sample:hall", "-o", "b.cells", "--json").stdout)["cells"] > 100


def test_the_level_is_kept_in_the_cell_file(run, baked):
    from lastseen.cells.cell_file import load_baked

    kept = load_baked(str(baked / "house.cells"))
    assert kept.level == sample("house")


def test_show_draws_floors_side_by_side_with_what_is_asked_for(run, baked):
    plain = run("show", baked / "house.cells", "-o", "plain.png", "--scale", 15)
    assert plain.exit_code == 0
    assert plain.stdout == "wrote plain.png\n"
    everything = ("--faces", "--cells", "--links", "--labels", "--layer", "height", "--scale", 20)
    full = run("show", baked / "house.cells", "-o", "full.png", *everything)
    assert full.exit_code == 0
    assert has_colours_of(decoded(Path("full.png").read_bytes()), "heat", 100)
    assert not has_colours_of(decoded(Path("plain.png").read_bytes()), "heat", 20)


def test_show_draws_walking_distance_from_places(run, baked):
    result = run("show", baked / "house.cells", "-o", "d.png", "--distance-from", "7,-4", "--distance-from", "2,3,3")
    assert result.exit_code == 0, result.output
    assert has_colours_of(decoded(Path("d.png").read_bytes()), "heat", 40)


def test_show_draws_layers_kept_in_the_file(run, baked):
    stored = load_stored(baked / "house.cells")
    danger = np.linspace(0, 100, len(stored.layout)).astype(np.int8)
    save_layout(stored.layout, "danger.cells", extra={"danger": danger})
    assert run("show", "danger.cells", "-o", "danger.png", "--layer", "danger", "--colours", "influence").exit_code == 0
    assert has_colours_of(decoded(Path("danger.png").read_bytes()), "influence", 60)
    assert "there are danger, height, links" in run("show", "danger.cells", "-o", "x.png", "--layer", "dang3r").stderr


def test_show_bakes_a_level_and_says_so(run):
    result = run("show", "rooms", "-o", "rooms.png", "--scale", 10, "--storey", 0)
    assert result.exit_code == 0
    assert "rooms is a level: baked with cells of 1 m for a body of radius 0.3 m" in result.stderr


def test_play_writes_and_names_a_picture(run):
    result = run("play", "rooms", "--picture", "rooms.png")
    assert result.exit_code == 0
    assert "wrote rooms.png" in result.stdout
    assert has_colours_of(decoded(Path("rooms.png").read_bytes()), "flood", 12)


def test_level_list_names_every_sample(run):
    assert [line.split()[0] for line in run("level", "list").stdout.splitlines()] == list(SAMPLES)
    listed = json.loads(run("level", "list", "--json").stdout)["samples"]
    assert [entry["name"] for entry in listed] == list(SAMPLES)


def test_level_convert_loses_nothing(run):
    assert run("level", "convert", "warehouse", "-o", "warehouse.geojson").exit_code == 0
    assert read_level("warehouse.geojson") == sample("warehouse")


def test_level_show_draws_what_was_drawn(run):
    assert run("level", "show", "loop", "-o", "loop.png").exit_code == 0
    assert share_of(decoded(Path("loop.png").read_bytes()), (52, 56, 62)) > 0.1


def test_level_check_is_content_with_a_sound_level(run):
    Path("my.txt").write_text(TEXT_MAP)
    result = run("level", "check", "my.txt", "house")
    assert result.exit_code == 0
    assert result.stdout == "my.txt: no faults\nhouse: no faults\n"


def test_level_check_prints_all_faults_with_places_and_advice(run):
    Path("bad.geojson").write_text(
        json.dumps(
            {
                "type": "FeatureCollection",
                "features": [
                    _feature("Polygon", [[[0, 0], [9, 0], [9, 9], [0, 9]]]),
                    _feature("Polygon", [[[20, 0], [24, 4], [24, 0], [20, 4]]], name="bow tie"),
                    _feature("Point", [50, 50], kind="guard", patrol="nowhere"),
                ],
            }
        )
    )
    result = run("level", "check", "bad.geojson")
    assert result.exit_code == 2
    assert "bow tie" in result.stdout
    assert "nowhere" in result.stdout
    assert "(22, 2" in result.stdout
    assert result.stdout.count("-> ") >= 2
    report = json.loads(run("level", "check", "bad.geojson", "--json").stdout)
    faults = report["files"][0]["faults"]
    assert report["errors"] == sum(fault["severity"] == "error" for fault in faults)
    assert all(fault["what"] and fault["advice"] for fault in faults)


def _feature(shape, coordinates, **properties):
    return {
        "type": "Feature",
        "properties": properties,
        "geometry": {"type": shape, "coordinates": coordinates},
    }
