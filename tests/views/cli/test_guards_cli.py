"""`lastseen guards place`: what it writes and says, and what it refuses."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from lastseen.level.level import Level
from lastseen.level.samples import sample
from lastseen.level.write import write_level
from lastseen.reasoning.placement.files.level_guards import patrol_placement
from lastseen.reasoning.placement.files.route_files import read_guards, write_path
from lastseen.reasoning.placement.guard_routes import GuardKind, guard_kind
from lastseen.reasoning.placement.place.place import place_guards
from lastseen.reasoning.placement.place.sight_graph import closeness
from lastseen.reasoning.placement.placement_settings import PlacementSettings
from lastseen.views.cli.app.main import cli
from oracles.placement import hall

ASKED = ("hall.geojson", "--path", "way.geojson", "--guards", "2", "--view", "4", "--passive", "0.5", "-o", "g.geojson")
PATH = [(0.5, 0.5), (11.5, 0.5)]
LEVEL = hall(12, 10, (5, 4, 7, 6))


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen guards place` in a folder with a level and a path."""
    monkeypatch.chdir(tmp_path)
    write_level(LEVEL, "hall.geojson")
    write_path(PATH, "way.geojson")

    def runner(*arguments):
        return CliRunner().invoke(cli, ["guards", "place", *map(str, arguments)])

    return runner


def test_what_is_written_is_what_the_library_places(run, tmp_path):
    result = run(*ASKED, "--seed", 3, "--candidates", 5, "--json")
    assert result.exit_code == 0, result.output
    kind = GuardKind(view_distance=4.0, passive=0.5)
    expected = place_guards(LEVEL, PATH, 2, kinds=kind, settings=PlacementSettings(candidates=5), seed=3)
    written = read_guards(tmp_path / "g.geojson")
    told = json.loads(result.stdout)
    assert written.settings == expected.settings
    assert written.coverage == expected.coverage
    for a, b, c in zip(written.routes, expected.routes, told["guards"], strict=True):
        assert np.array_equal(a.points, b.points)
        assert a.kind == kind
        assert c["points_xyz"] == b.points.tolist()
    assert told["coverage"]["mean"] == expected.coverage.mean
    assert told["radius_m"][0] == 0.5


def test_words_and_a_picture_the_same_every_time(run, tmp_path):
    for name in ("a", "b"):
        result = run(*ASKED[:-1], f"{name}.geojson", "--candidates", 4, "--png", f"{name}.png", "--scale", 20)
        assert result.exit_code == 0, result.output
    assert "2 guards for hall: 116 m²" in result.stdout
    assert "m route in" in result.stdout
    assert result.stdout.endswith("wrote b.geojson\nwrote b.png\n")
    for suffix in ("geojson", "png"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()
    assert len(Image.open(tmp_path / "a.png").getcolors(1 << 20)) > 30


def test_options_reach_the_settings_and_the_kinds(run, tmp_path):
    options = "--one-by-one --guard-term flat --raw --least 5 --most 40 --drop-off 2 --path-cost 30 --guard-cost 3"
    kinds = "--kind walking --kind camera --angle 45 --speed 2 --turn 90 --radius 0.2 --packing voronoi --coarseness 2"
    result = run(*ASKED, *options.split(), *kinds.split(), "--spare-path", 2)
    assert result.exit_code == 0, result.output
    written = read_guards(tmp_path / "g.geojson")
    assert written.settings == PlacementSettings(
        packing="voronoi",
        path_cost=30.0,
        guard_cost=3.0,
        guard_term="flat",
        drop_off=2.0,
        least=5.0,
        most=40.0,
        raw=True,
        together=False,
        spare_path=2.0,
        coarseness=2.0,
        body=0.2,
    )
    walker, camera = (route.kind for route in written.routes)
    assert (walker.name, walker.speed, walker.view_angle) == ("walking", 2.0, pytest.approx(np.pi / 4))
    assert (camera.name, camera.speed, camera.turn_speed) == ("camera", 0.0, pytest.approx(np.pi / 2))
    assert "stays at" in result.stdout


def test_a_level_with_its_own_path_and_two_storeys(run, tmp_path):
    assert len(sample("house").paths) == 1
    result = run("house", "--guards", 1, "--passive", 0.6, "--candidates", 3, "-o", "g.geojson", "--png", "g.png")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "g.png").exists()


def test_tile_maps_are_for_bodies_without_radius(run, tmp_path):
    write_path([(3.5, 5.5), (9.5, 5.5)], "tiles.geojson")
    result = run(
        "rooms", "--path", "tiles.geojson", "--guards", 1, "--passive", 0.5, "--candidates", 2, "-o", "g.geojson"
    )
    assert result.exit_code == 0, result.output
    assert read_guards(tmp_path / "g.geojson").settings.body == 0.0


def test_the_path_is_checked_and_guards_on_it_are_refused(run, tmp_path):
    """In a corridor as wide as the path, nobody comes past guards who pace it; the library places them all the same."""
    write_level(hall(20, 1.6), "corridor.geojson")
    write_path([(0.5, 0.8), (19.5, 0.8)], "straight.geojson")
    corridor = ("corridor.geojson", "--path", "straight.geojson", "--guards", 3, "--kind", "turning", "--view", 9)
    corridor = (*corridor, "--angle", 360)
    options = ("--passive", 0.5, "--path-cost", 0, "--spare-path", 0, "--candidates", 2, "-o", "g.geojson")
    refused = run(*corridor, *options)
    assert refused.exit_code == 2, refused.output
    assert "none of 20 draws leaves the intended path passable" in refused.stderr
    assert "or give --unchecked" in refused.stderr
    assert not (tmp_path / "g.geojson").exists()
    taken = run(*corridor, *options, "--unchecked", "--json")
    assert taken.exit_code == 0, taken.output
    assert json.loads(taken.stdout)["path_passable"] is None
    assert read_guards(tmp_path / "g.geojson").passed is None
    checked = run(*ASKED, "--candidates", 3, "--player-speed", 2, "--within", 0.5)
    assert "the intended path can be walked unseen: on the path itself" in checked.stdout
    assert read_guards(tmp_path / "g.geojson").passed is True


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*ASKED, "--unchecked", "--within", 2), "--within: no effect with --unchecked"),
        ((*ASKED, "--player-speed", 0), "--player-speed is 0 m/s"),
        (("hall.geojson",), "nothing to write; give -o FILE"),
        (("hall.geojson", "-o", "g.geojson"), "--guards is missing; give the number of guards, or the kind of each"),
        ((*ASKED, "--kind", "0*camera"), "'0' is no number of guards; give 1 to 500"),
        ((*ASKED, "--kind", "camera:veiw=3"), "no ability 'veiw' (did you mean 'view'?)"),
        ((*ASKED, "--kind", "camera:view=far"), "view is 'far'; give a number"),
        ((*ASKED, "--kind", "camera:speed=1"), "a camera guard does not walk"),
        ((*ASKED, "--kind", "camera:angle=361"), "angle is 361 degrees"),
        ((*ASKED, "--grammar", "livly"), "did you mean 'lively'"),
        ((*ASKED, "--grammar", "stop -> stop wait 2"), "rule 1 of the grammar"),
        ((*ASKED, "--grammar", "lively", "--rewrites", 11), "rewrites is 11; give 1 to 10"),
        ((*ASKED, "--into", "hall.png"), "give a level to write, .geojson, a GRAM scene, .json, or a scenario, .yaml"),
        ((*ASKED, "--into", "g.geojson"), "name the same file"),
        ((*ASKED, "--guards", 0), "--guards is 0; give a whole number, at least 1"),
        ((*ASKED, "--guards", 501), "501 guards are too many"),
        ((*ASKED, "--seed", -1), "seed is -1"),
        ((*ASKED, "--kind", "camra"), "did you mean 'camera'"),
        ((*ASKED, "--packing", "voronoy"), "did you mean 'voronoi'"),
        ((*ASKED, "--angle", 361), "--angle is 361 degrees"),
        ((*ASKED, "--view", 0), "--view is 0 m"),
        ((*ASKED, "--kind", "camera", "--speed", 1), "--speed needs walking guards"),
        ((*ASKED, "--least", 3), "swap them"),
        ((*ASKED, "--passive", 40), "no circle of 40 m fits"),
        ((*ASKED, "--radius", 99), "--radius is 99 m"),
        ((*ASKED, "--path", "none.geojson"), "none.geojson: cannot be read"),
        ((*ASKED, "--path", "hall.geojson"), "there is no intended path; give at least one LineString"),
        (("hall.geojson", "--guards", 1, "-o", "g.geojson"), "has no intended path; draw one"),
        (("hal.geojson", "--guards", 1, "-o", "g.geojson"), "neither a file nor a sample level"),
        ((*ASKED, "-o", "hall.geojson"), "is an input"),
        ((*ASKED, "-o", "way.geojson"), "is an input"),
        ((*ASKED, "-o", "no/where.geojson"), "there is no folder"),
        ((*ASKED, "--png", "g.jpg"), "pictures are PNG"),
        ((*ASKED, "--png", "g.geojson"), "pictures are PNG"),
        ((*ASKED, "--scale", 3), "give --png FILE too"),
        ((*ASKED, "--png", "g.png", "--storey", 4), "there is no storey 4"),
        (("x.cells", *ASKED[1:]), "x.cells is a cell file"),
        ((*ASKED[:4], "3", *ASKED[5:], "--raw", "--least", 0.2, "--most", 0.3, "--one-by-one"), "only 0 of 3 guards"),
    ],
)
def test_what_is_refused_says_why_and_leaves_no_file(run, tmp_path, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert words in result.stderr
    assert "Traceback" not in result.output
    assert {path.name for path in tmp_path.iterdir()} <= {"hall.geojson", "way.geojson"}


def test_a_path_off_the_floor_is_told_where(run, tmp_path):
    write_path([(1, 1), (30, 1)], "way.geojson")
    result = run(*ASKED)
    assert result.exit_code == 2
    assert "point 2 of the intended path, (30, 1), is off the floor" in result.stderr
    assert not (tmp_path / "g.geojson").exists()


option = st.sampled_from(
    [
        "--view",
        "--angle",
        "--speed",
        "--turn",
        "--passive",
        "--coarseness",
        "--path-cost",
        "--drop-off",
        "--least",
        "--most",
    ]
)
number = st.sampled_from(["0", "-1", "nan", "inf", "1e300", "0.3", "1", "2.5", "40", "x"])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(option, number, max_size=3))
def test_any_options_give_an_answer_or_words(run, given_options):
    words = [word for pair in given_options.items() for word in pair]
    result = run(*ASKED, "--candidates", 1, *words)
    assert result.exit_code in (0, 2), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_the_command_from_outside(run, tmp_path):
    command = [sys.executable, "-m", "lastseen", "guards", "place", *ASKED, "--candidates", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "wrote g.geojson"
    helped = subprocess.run([*command[:5], "--help"], capture_output=True, text=True, timeout=300, check=True)
    assert "lastseen guards place warehouse --path path.geojson" in helped.stdout


@pytest.mark.data
def test_the_docks_of_the_research_group(run, data, tmp_path):
    docks = data / "gram" / "Pedro_3D_visualizer.json"
    assert len(Level.read(docks).paths) == 1
    result = run(
        docks, "--guards", 3, "--view", 4, "--angle", 66, "--passive", 0.4, "--candidates", 4, "-o", "g.geojson"
    )
    assert result.exit_code == 0, result.output
    assert len(read_guards(tmp_path / "g.geojson").routes) == 3


def test_kinds_have_counts_and_abilities_of_their_own(run, tmp_path):
    given = (
        "--kind",
        "2*walking:speed=2,view=3",
        "--kind",
        "camera:angle=40,sweep=60,pause=2,eye=3",
        "--candidates",
        2,
    )
    result = run(*(word for word in ASKED if word not in ("--guards", "2")), *given, "--unchecked")
    assert result.exit_code == 0, result.output
    kinds = [route.kind for route in read_guards(tmp_path / "g.geojson").routes]
    walking, camera = guard_kind("walking"), guard_kind("camera")
    own = {"view_angle": math.radians(40), "sweep": math.radians(60), "pause": 2.0, "eye_height": 3.0}
    assert kinds == [replace(walking, speed=2.0, view_distance=3.0, passive=0.5)] * 2 + [
        replace(camera, view_distance=4.0, passive=0.5, **own)
    ]


def test_routes_pause_and_make_detours(run, tmp_path):
    rules = "stop -> stop wait 2 : 0.5; stop -> stop away wait 1 stop : 0.5"
    result = run(*ASKED, "--candidates", 3, "--grammar", rules, "--rewrites", 2)
    assert result.exit_code == 0, result.output
    written = read_guards(tmp_path / "g.geojson")
    assert (written.settings.grammar, written.settings.rewrites) == (rules, 2)
    assert any(len(route.waits) for route in written.routes)
    assert all(route.length <= 2.0 * math.sqrt(116.0) + 1e-6 for route in written.routes)


def test_a_level_and_a_scenario_with_the_guards_are_written_and_run(run, tmp_path):
    result = run(*ASKED, "--candidates", 2, "--into", "guarded.geojson")
    assert result.exit_code == 0, result.output
    assert "wrote guarded.geojson\nnext: lastseen play guarded.geojson" in result.output
    level = Level.read("guarded.geojson")
    assert [spawn.name for spawn in level.spawns] == ["guard 1", "guard 2"]
    poses = read_guards("g.geojson").poses_at([0.0, 5.0])
    np.testing.assert_allclose(patrol_placement(level).poses_at([0.0, 5.0])[..., :3], poses[..., :3], atol=1e-6)
    result = run(*ASKED, "--candidates", 2, "--into", "guarded.json")
    assert result.exit_code == 0, result.output
    scene = Level.read("guarded.json")
    assert [spawn.name for spawn in scene.spawns] == ["guard 1", "guard 2"]
    result = run(*ASKED, "--candidates", 2, "--into", "night.yaml")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "night.yaml").read_text() == 'level: "hall.geojson"\nguards: "g.geojson"\n'
    digests = set()
    for words in (["guarded.geojson"], ["night.yaml"], ["hall.geojson", "--guards", "g.geojson"]):
        told = CliRunner().invoke(cli, ["run", *words, "--seconds", "1", "--quiet"])
        assert told.exit_code == 0, told.output
        digests.add(told.output.splitlines()[-1])
    assert len(digests) == 1
    again = run(*ASKED, "--into", "night.yaml")
    assert (again.exit_code, "add guards: g.geojson to it" in again.stderr) == (2, True)
    told = CliRunner().invoke(cli, ["run", "night.yaml", "--guards", "g.geojson"])
    assert (told.exit_code, "write guards: g.geojson in it" in told.stderr) == (2, True)


def test_segments_are_a_baseline_for_comparison(run, tmp_path):
    result = run(*ASKED, "--routes", "segments", "--unchecked")
    assert result.exit_code == 0, result.output
    written = read_guards(tmp_path / "g.geojson")
    assert written.settings.routes == "segments"
    assert [len(route.points) for route in written.routes] == [2, 2]


def test_guards_are_checked_with_their_level(run, tmp_path):
    assert run(*ASKED, "--candidates", 2).exit_code == 0

    def checked(*words):
        return CliRunner().invoke(cli, ["level", "check", *words])

    fine = checked("hall.geojson", "--guards", "g.geojson")
    assert (fine.exit_code, fine.output) == (0, checked("hall.geojson").output)
    far = (tmp_path / "g.geojson").read_text().replace('"coordinates": [[', '"coordinates": [[9')
    (tmp_path / "far.geojson").write_text(far)
    refused = checked("hall.geojson", "--guards", "far.geojson")
    assert refused.exit_code == 2
    assert "far.geojson: guard 1" in refused.output
    (tmp_path / "bad.geojson").write_text(far.replace('"phase"', '"phaze"'))
    assert "did you mean 'phase'" in checked("hall.geojson", "--guards", "bad.geojson").output
    (tmp_path / "night.yaml").write_text("level: hall.geojson\nguards: far.geojson\n")
    told = CliRunner().invoke(cli, ["run", "night.yaml"])
    assert told.exit_code == 2
    assert "line 2 (guards): " in told.stderr


def test_guards_keep_off_several_paths(run, tmp_path):
    lines = [[[0.5, 0.5], [11.5, 0.5]], [[0.5, 9.5], [11.5, 9.5]]]
    features = [{"type": "Feature", "geometry": {"type": "LineString", "coordinates": line}} for line in lines]
    (tmp_path / "way.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    result = run(*ASKED, "--candidates", 3, "--path-cost", 9, "--png", "g.png")
    assert result.exit_code == 0, result.output
    assert "walked unseen: path 1 can, on the path itself" in result.output
    assert "; path 2 can, " in result.output
    routes = [route.points for route in read_guards("g.geojson").routes]
    both = closeness([[*line[0], 0, *line[1], 0] for line in lines], routes, 1.0)
    assert (both == 0.0).all()
    told = CliRunner().invoke(cli, ["guards", "improve", *ASKED[:-2], "--coverage", "0.1", "-o", "b.geojson"])
    assert (told.exit_code, "2 intended paths; choose one" in told.stderr) == (2, True)
    verified = CliRunner().invoke(
        cli, ["guards", "verify", "hall.geojson", "--guards", "g.geojson", "--path", "way.geojson", "--runs", "2"]
    )
    assert verified.exit_code == 0, verified.output
    assert "the intended path can be walked unseen: path 1 can" in verified.output
