"""Bad input to every command: words that teach, exit 2, nothing written."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen.cells.build import build_layout
from lastseen.cells.cell_file import save_layout
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.views.cli.app import inputs
from lastseen.views.cli.app.main import cli
from lastseen.views.cli.level import layout_picture

LEVELS = {
    "empty.map": b"",
    "zeros.map": bytes(1000),
    "truncated.map": b"type octile\nheight 5\nwidth 5\nmap\n....",
    "not_utf8.txt": b"#\xff\xfe.#\n",
    "nan.obj": b"v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n",
    "infinite.geojson": b'{"type":"Polygon","coordinates":[[[0,0],[1e999,0],[1,1]]]}',
    "crossing.geojson": b'{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2]]]}',
    "solid.txt": b"####\n####\n",
    "cut.json": b'{"type": "FeatureCollection", "features": [',
    "noise.bin": bytes(range(256)) * 4,
}
COMMANDS = {
    "check": ("level", "check", "{}"),
    "convert": ("level", "convert", "{}", "-o", "out"),
    "level show": ("level", "show", "{}", "-o", "out"),
    "bake": ("bake", "{}", "-o", "out"),
    "show": ("show", "{}", "-o", "out"),
    "play": ("play", "{}", "--picture", "out"),
}


@pytest.fixture
def refused(tmp_path, monkeypatch):
    """Run a command that must fail in words, and return them."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
        assert result.exit_code == 2, result.output
        assert isinstance(result.exception, SystemExit), result.exception
        assert "Traceback" not in result.output
        assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before
        return result.output

    return run


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """The bytes of a sound cell file."""
    path = tmp_path_factory.mktemp("cells") / "rooms.cells"
    save_layout(build_layout(build_navmesh(sample("rooms"), Body(radius=0.0))), path)
    return path.read_bytes()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", [*LEVELS, "missing.map", "folder"])
def test_a_bad_level_is_named_and_nothing_written(refused, command, name):
    Path("folder").mkdir()
    if name in LEVELS:
        Path(name).write_bytes(LEVELS[name])
    words = refused(*(part.format(name) for part in COMMANDS[command]))
    assert name in words
    assert re.search(r"error: |error ", words)


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_sample_is_suggested(refused, command):
    words = refused(*(part.format("wharehouse") for part in COMMANDS[command]))
    assert "did you mean 'warehouse'?" in words
    refused(*(part.format("sample:wharehouse") for part in COMMANDS[command]))


@pytest.mark.parametrize("command", [("play",), ("run",), ("evaluate", "crews")])
def test_commands_that_take_scenarios_name_them_for_an_unknown_word(refused, command):
    words = refused(*command, "nosuch")
    assert "'nosuch' is neither a file, a shipped scenario nor a sample level" in words
    assert "`lastseen run --list` lists scenarios, `lastseen level list` levels" in words
    assert "did you mean 'night_shift'?" in refused(*command, "nightshift")


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "check"])
def test_an_output_that_cannot_be_is_refused_before_the_work(refused, command, monkeypatch):
    for module in (inputs, layout_picture):
        monkeypatch.setattr(module, "read_source", lambda *a, **k: pytest.fail("read before the output was checked"))
    Path("folder").mkdir()
    parts = [part.format("rooms") for part in COMMANDS[command]]
    for output, reason in (("folder", "it is a folder"), ("no/such/file", "there is no folder 'no/such'"), ("", "")):
        assert reason in refused(*(output if part == "out" else part for part in parts))


def test_a_place_without_permission_is_refused(refused, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    assert "no permission" in refused("bake", "rooms", "-o", "rooms.cells")


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "check"])
def test_an_input_is_never_overwritten(refused, command):
    Path("my.txt").write_text("####\n#..#\n####\n")
    Path("link.txt").symlink_to("my.txt")
    parts = COMMANDS[command]
    for output in ("my.txt", "./my.txt", "link.txt"):
        assert "is an input" in refused(*(output if p == "out" else p.format("my.txt") for p in parts))


def test_an_overlaid_level_is_never_overwritten_either(refused, cells):
    Path("rooms.cells").write_bytes(cells)
    Path("my.txt").write_text("####\n#..#\n####\n")
    assert "is an input" in refused("show", "rooms.cells", "--level", "my.txt", "-o", "my.txt")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda data: b"", "empty"),
        (lambda data: data[:30], "damaged"),
        (lambda data: data[:-100], "damaged"),
        (lambda data: data[:-100] + bytes([data[-100] ^ 1]) + data[-99:], "digest"),
        (lambda data: data[:8] + b"\x63" + data[9:], "version 99"),
        (lambda data: data.replace(b'"version":1', b'"version":9'), "version 9"),
        (lambda data: b"PK\x03\x04" + data, "not a lastseen file"),
    ],
)
def test_a_damaged_or_newer_cell_file_is_refused(refused, cells, damage, words):
    Path("rooms.cells").write_bytes(damage(cells))
    assert words in refused("show", "rooms.cells", "-o", "out.png")


def test_a_level_kept_in_a_cell_file_is_checked_like_any_other(refused, tmp_path):
    layout = build_layout(build_navmesh(sample("rooms"), Body(radius=0.0)))
    save_layout(layout, tmp_path / "odd.cells", extra={"level.geojson": np.frombuffer(b'{"type": 1}', np.uint8)})
    assert "odd.cells" in refused("show", "odd.cells", "-o", "out.png")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--radius", 9), "wider than every corridor"),
        (("--radius", -1), "at least 0"),
        (("--cell", 0), "--cell is 0 m; it must be at least 0.05"),
        (("--cell", 0.001), "--cell is 0.001 m; it must be at least 0.05"),
        (("--cell", "nan"), "at least 0.05"),
        (("--height", "inf"), "at least 0.1"),
        (("--slope", 91), "at most 90 degrees"),
        (("--climb", 6), "at most 5 m"),
        (("--body", 0), "--body is 0 m; it must be at least 0.1"),
        (("--builder", "til"), "did you mean 'tile'?"),
        (("--voxel", 0.1), "leave it out"),
        (("--min-region", -1), "--min-region is -1 m²; it must be at least 0"),
        (("--min-region", 1), "leave it out"),
        (("--flip",), "flip applies only to triangle meshes"),
        (("--kind", "txt"), "did you mean 'text'?"),
        (("--up", "x"), "'x' is not one of"),
        (("--cell", "wide"), "not a valid float"),
    ],
)
def test_settings_out_of_range_say_what_is_allowed(refused, options, words):
    Path("my.txt").write_text("#####\n#...#\n#####\n")
    assert words in refused("bake", "my.txt", "-o", "out.cells", *options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--layer", "hieght"), "did you mean 'height'?"),
        (("--layer", "height", "--distance-from", "3,3"), "give only one"),
        (("--distance-from", "3"), "give x,y or x,y,z"),
        (("--distance-from", "3,north"), "give x,y or x,y,z"),
        (("--distance-from", "3,nan"), "finite"),
        (("--distance-from", "3,900"), "outside the level"),
        (("--scale", 1e6), "at most"),
        (("--scale", 0), "more than 0"),
        (("--storey", 4), "there is no storey 4"),
        (("--storey", -1), "there is no storey -1"),
        (("--colours", "hat"), "did you mean 'heat'?"),
        (("--level", "missing.map"), "missing.map"),
    ],
)
def test_questions_a_picture_cannot_answer_say_what_it_can(refused, cells, options, words):
    Path("rooms.cells").write_bytes(cells)
    assert words in refused("show", "rooms.cells", "-o", "out.png", *options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--layer", "hieght"), "did you mean 'height'?"),
        (("--layer", "height", "--distance-from", "3,3"), "give only one"),
        (("--distance-from", "3"), "give x,y or x,y,z"),
        (("--distance-from", "3,nan"), "finite"),
        (("--scale", 0), "more than 0"),
        (("--storey", -1), "there is no storey -1"),
        (("--colours", "hat"), "did you mean 'heat'?"),
    ],
)
def test_what_is_wrong_with_a_picture_is_said_before_the_bake(refused, options, words, monkeypatch):
    for module in (inputs, layout_picture):
        monkeypatch.setattr(module, "read_source", lambda *a, **k: pytest.fail("read before the options were checked"))
    assert words in refused("show", "rooms", "-o", "out.png", *options)


@pytest.mark.parametrize("command", ["level show", "show", "play"])
def test_pictures_are_png_only(refused, command):
    parts = [part.format("rooms") for part in COMMANDS[command]]
    words = refused(*("out.jpg" if part == "out" else part for part in parts))
    assert "pictures are PNG; name it 'out.png'" in words


@pytest.mark.parametrize("command", ["check", "convert", "bake"])
def test_a_sample_cannot_be_flipped(refused, command):
    words = refused(*(part.format("rooms") for part in COMMANDS[command]), "--flip")
    assert "--flip says how to read a file, but 'rooms' is a sample level" in words


@pytest.mark.parametrize("command", ["check", "convert", "level show", "bake", "show"])
@pytest.mark.parametrize("option", [("--kind", "text"), ("--kind", "zzz"), ("--up", "y")])
def test_a_sample_is_no_file_of_any_kind(refused, command, option):
    words = refused(*(part.format("rooms") for part in COMMANDS[command]), *option)
    assert option[0] in words
    assert "sample" in words


BARREN = {
    "narrow.geojson": b'{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,0.3],[0,0.3]]]}',
    "wide.geojson": b'{"type":"Polygon","coordinates":[[[0,0],[90000,0],[90000,90000],[0,90000]]]}',
    "far.geojson": b'{"type":"Polygon","coordinates":[[[9000000,0],[9000009,0],[9000009,9],[9000000,9]]]}',
    "wide.obj": b"v 0 0 0\nv 0 0 50000\nv 50000 0 0\nf 1 2 3\n",
    "thin.obj": b"v 0 0 0\nv 0 0 0.2\nv 9 0 0\nf 1 2 3\n",
}


@pytest.mark.parametrize("command", ["bake", "show", "play"])
@pytest.mark.parametrize("name", BARREN)
def test_a_bake_that_fails_names_its_level_once(refused, command, name):
    Path(name).write_bytes(BARREN[name])
    words = refused(*(part.format(name) for part in COMMANDS[command]))
    error = words.splitlines()[-1]
    assert error.startswith(f"error: {name}: ")
    assert error.count(name) == 1


@pytest.mark.parametrize("name", [name for name in BARREN if name not in ("narrow.geojson", "thin.obj")])
def test_what_is_too_large_to_bake_is_a_fault_of_a_check(refused, name):
    Path(name).write_bytes(BARREN[name])
    assert f"{name}: 1 error" in refused("level", "check", name)


@pytest.mark.parametrize("command", ["check", "bake", "convert"])
def test_a_cell_file_is_no_level(refused, cells, command):
    Path("rooms.cells").write_bytes(cells)
    words = refused(*(part.format("rooms.cells") for part in COMMANDS[command]))
    assert "it is a baked cell file" in words
    assert "lastseen show" in words


def test_a_sample_that_cannot_be_baked_is_named(refused):
    words = refused("bake", "rooms", "-o", "out", "--radius", 9)
    assert words.startswith("error: rooms: no walkable place")


def test_an_unknown_command_is_suggested(refused):
    assert "did you mean 'bake'?" in refused("bkae", "rooms")
    assert "did you mean 'check'?" in refused("level", "chekc", "rooms")


def test_ctrl_c_ends_with_130_and_one_word(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("lastseen.cells.from_level.build_navmesh", interrupted)
    result = CliRunner().invoke(cli, ["bake", "rooms", "-o", "out.cells"])
    assert result.exit_code == 130
    assert result.stderr.endswith("stopped\n")
    assert list(tmp_path.iterdir()) == []


def test_a_bug_keeps_its_traceback(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def broken(*_, **__):
        raise KeyError("bug")

    monkeypatch.setattr("lastseen.cells.from_level.build_navmesh", broken)
    result = CliRunner().invoke(cli, ["bake", "rooms", "-o", "out.cells"])
    assert isinstance(result.exception, KeyError)
    assert list(tmp_path.iterdir()) == []
