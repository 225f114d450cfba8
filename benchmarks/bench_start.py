"""How long a person waits before anything happens: fresh interpreters, start and end included."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from .harness import Comparison, Side

# Compiled bytecode is what users have; where it may not be written, every start would compile all of it again.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def comparisons() -> Iterator[Comparison | str]:
    bare = f"{_bare() * 1e3:.0f} ms of it the bare interpreter"
    yield Comparison(f"import lastseen, {bare}", _run(sys.executable, "-c", "import lastseen"), None, 0.100)
    command = Path(sys.executable).with_name("lastseen")
    if not command.exists():
        yield f"lastseen --help: there is no {command.name} beside the interpreter (make install)"
    else:
        yield Comparison(f"lastseen --help, {bare}", _run(str(command), "--help"), None, 0.200)
    # Where nothing is kept, a chase on a small level interprets its kernels.
    yield Comparison("a first chase", _first, _compiled, 0.25, "one that compiles", rounds=1)
    # On large levels, kernels that run over all tiles or cells are compiled, the others interpreted.
    yield Comparison(
        "a first chase on 512 x 512 tiles", _first_large, _compiled_large, 0.6, "one that compiles", rounds=1
    )


def _run(*command: str) -> Side:
    def side(_: int) -> object:
        return subprocess.run(command, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)

    return side


CHASE = (sys.executable, "-m", "lastseen", "chase", "warehouse", "--seen", "7.5,8.5", "--heading", "1,0")
LARGE = "large.txt"
"""A map of rooms, written into the folder in which a chase on it runs."""

COMPILING = """
import sys
from lastseen.compilation import interpretation
interpretation.is_exact = lambda _: False
from lastseen.views.cli.app.main import cli
cli(sys.argv[1:])
"""


def _first(_: int) -> object:
    """Run a first chase where nothing is kept."""
    return _fresh(*CHASE)


def _compiled(_: int) -> object:
    """Run the same without interpreting any kernel."""
    return _fresh(sys.executable, "-c", COMPILING, *CHASE[3:])


def _first_large(_: int) -> object:
    return _fresh(*_on_large(CHASE))


def _compiled_large(_: int) -> object:
    return _fresh(sys.executable, "-c", COMPILING, *_on_large(CHASE[3:]))


def _on_large(command: tuple[str, ...]) -> list[str]:
    return [LARGE if word == "warehouse" else word for word in command]


def _fresh(*command: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, LARGE).write_text(_rooms(512, 16))
        environment = ENVIRONMENT | {"NUMBA_CACHE_DIR": folder, "LASTSEEN_SHIPPED_KERNELS": "off"}
        return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)


def _rooms(tiles: int, room: int) -> str:
    """Return a text map of square rooms with a door in the middle of each wall."""
    line = range(tiles)
    is_wall = [one % room == 0 for one in line]
    is_door = [one % room == room // 2 for one in line]
    blocked = [[(is_wall[x] and not is_door[y]) or (is_wall[y] and not is_door[x]) for x in line] for y in line]
    return "\n".join("".join("#" if one else "." for one in row) for row in blocked) + "\n"


def _bare() -> float:
    side, seconds = _run(sys.executable, "-c", "pass"), []
    for number in range(5):
        start = time.perf_counter()
        side(number)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)
