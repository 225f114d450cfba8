"""The installed command in a process of its own: start-up, pipes, exit codes."""

import json
import subprocess
import sys
from pathlib import Path

from lastseen import __version__

HEAVY = ("PIL", "numba", "numpy", "rich", "shapely", "trimesh")


def lastseen(*arguments, **options):
    command = [sys.executable, "-m", "lastseen", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **options)


def test_help_and_version_load_nothing_heavy():
    script = (
        "import sys, contextlib\n"
        "from lastseen.__main__ import main\n"
        "for sys.argv in (['lastseen', '--help'], ['lastseen', 'bake', '--help'], ['lastseen', 'level', '--help']):\n"
        "    with contextlib.suppress(SystemExit):\n"
        "        main()\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"
    assert "lastseen level check my.geojson" in result.stdout


def test_the_installed_command_and_the_module_are_the_same():
    script = Path(sys.executable).with_name("lastseen")
    direct = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert direct.stdout == lastseen("--version").stdout == f"lastseen {__version__}\n"


def test_bake_and_show_from_outside(tmp_path):
    baked = lastseen("bake", "rooms", "-o", "rooms.cells", "--json", cwd=tmp_path)
    assert baked.returncode == 0, baked.stderr
    assert json.loads(baked.stdout)["cells"] > 100
    shown = lastseen("show", "rooms.cells", "-o", "rooms.png", cwd=tmp_path)
    assert (shown.returncode, shown.stdout) == (0, "wrote rooms.png\n")
    assert not shown.stderr or shown.stderr.startswith("compiling kernels")  # no bar, no colour codes in a pipe
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rooms.cells", "rooms.png"]


def test_an_error_has_words_and_no_traceback(tmp_path):
    result = lastseen("bake", "missing.map", "-o", "x.cells", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == "error: missing.map: there is no such file; check the name\n"
    assert result.stdout == ""


def test_a_reader_that_goes_away_ends_the_command_quietly():
    process = subprocess.Popen(
        [sys.executable, "-m", "lastseen", "level", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=300) == 1
    assert errors == b""
