"""Record what the commands answer, to show that a change of structure changes no result.

    python -m tools.record_behaviour before/            # before a change
    python -m tools.record_behaviour after/ --against before/

Every case is one command line with fixed seeds, run through the real entry point; its JSON is kept without times and
paths. `--against` names the cases that differ and exits with code 1.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from lastseen.agents.rules.shipped_rules import SHIPPED_RULES
from lastseen.cells.layout import CellLayout
from lastseen.level.samples import SAMPLES
from lastseen.reasoning.placement.placement_settings import PACKINGS
from lastseen.simulation.scenario.reader import shipped_scenarios
from lastseen.views.cli.app.main import cli

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PASSING = {
    "seconds",
    "took_seconds",
    "compile_seconds",
    "compiled_kernels",
    "interpreted_kernels",
    "milliseconds",
    "output",
    "recording",
}
"""Keys whose values differ from run to run."""

Case = tuple[str, list[str]]
"""A name and a command line; `{folder}` stands for a folder that holds what earlier cases wrote."""


def _levels() -> list[tuple[str, str]]:
    files = [one for form in ("*/*.map", "*/*.obj", "*/*.mesh", "gram/*.json") for one in sorted(DATA.glob(form))]
    return [(name, name) for name in SAMPLES] + [(file.name, str(file)) for file in files]


def _bakes() -> Iterator[Case]:
    for name, level in _levels():
        yield f"bake {name}", ["bake", level, "-o", f"{{folder}}/{name}.cells"]


def _chases(folder: Path) -> Iterator[Case]:
    for file in sorted(folder.glob("*.cells")):
        layout = CellLayout.load(file)
        for share, heading in ((0.25, "1,0"), (0.5, "0,1"), (0.75, "-1,1")):
            x, y, z = layout.arrays.cell_xyz[int(share * len(layout.arrays.cell_xyz))]
            for preset in ("article", "belief"):
                seen = f"{x:.3f},{y:.3f},{z:.3f}"
                line = ["chase", str(file), f"--seen={seen}", f"--heading={heading}", "--preset", preset]
                yield f"chase {file.stem} {share} {preset}", line


def _reports() -> Iterator[Case]:
    real = [str(DATA / "movingai" / "AR0300SR.map"), str(DATA / "recast" / "dungeon.obj")]
    chase = [
        "evaluate",
        "chase",
        "warehouse",
        "rooms",
        "house",
        *real,
        "--episodes",
        "20",
        "--seed",
        "3",
        "--jobs",
        "1",
    ]
    yield "evaluate chase", chase
    yield "evaluate search", ["evaluate", "search", "rooms", "--episodes", "2", "--seconds", "20", "--jobs", "1"]
    yield "evaluate crews", ["evaluate", "crews", "hall", "--episodes", "2", "--seconds", "15", "--jobs", "1"]
    for name in ("Pedro_3D_visualizer", "LevelDesigner1_3D_visualizer"):  # those with an intended path
        file = str(DATA / "gram" / f"{name}.json")
        for packing in PACKINGS:
            guards = f"{{folder}}/{name} {packing}.geojson"
            placed = ["--guards", "3", "--packing", packing, "--unchecked", "-o", guards]
            yield f"guards place {name} {packing}", ["guards", "place", file, *placed]
            yield f"guards verify {name} {packing}", ["guards", "verify", file, "--guards", guards, "--runs", "4"]
    yield "guards verify warehouse", ["guards", "verify", "warehouse", "--runs", "4", "--solver", "both"]
    for name in SHIPPED_RULES:
        yield f"rules sorted {name}", ["rules", "sorted", name]
    for name in shipped_scenarios():
        yield f"run {name}", ["run", name, "--quiet"]


_SWEEPS = {
    "chase": 'seeds = [4, 5]\n[fixed]\nepisodes = 8\npredictors = ["belief"]\n[grid]\nview_angle = [90.0, 120.0]\n',
    "search": '[fixed]\nepisodes = 2\ncontenders = ["influence"]\nsearchers = [1]\n[grid]\nseconds = [2.0, 6.0]\n',
    "placement": "[fixed]\npath = [[2.5, 1.5], [29.5, 1.5]]\nruns = 0\ncell = 1.0\n[grid]\npath_cost = [0.0, 6.0]\n",
    "verification": "[fixed]\nruns = 3\ntrees = 3\nnodes = 150\ncell = 1.0\nstart = [2.5, 16.5]\ngoal = [29.5, 2.5]\n",
}
"""What a sweep file of each experiment says after its level."""


def _sweeps(folder: Path) -> Iterator[Case]:
    for name, text in _SWEEPS.items():
        level = "rooms" if name in ("chase", "search") else "hall"
        (folder / f"{name}.toml").write_text(f'evaluate = "{name}"\nlevels = ["{level}"]\n{text}')
        results = f"{{folder}}/{name} results"
        yield f"sweep {name}", ["sweep", "run", f"{{folder}}/{name}.toml", "-o", results, "--jobs", "1"]
        yield f"sweep report {name}", ["sweep", "report", results]


def _kept(value: Any, folder: str) -> Any:
    if isinstance(value, dict):
        return {key: _kept(one, folder) for key, one in value.items() if key not in PASSING}
    if isinstance(value, list):
        return [_kept(one, folder) for one in value]
    return value.replace(folder, "") if isinstance(value, str) else value


def _answer(line: list[str], folder: Path) -> Any:
    given = [part.format(folder=folder) for part in line]
    result = CliRunner().invoke(cli, [*given, "--json"])
    if result.exit_code:
        return {"exit_code": result.exit_code}
    return _kept(json.loads(result.stdout), str(folder))


def _record(target: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for cases in (_bakes, lambda: _chases(folder), _reports, lambda: _sweeps(folder)):
            for case, line in cases():
                click.echo(case, err=True)
                (target / f"{case}.json").write_text(json.dumps(_answer(line, folder), indent=1, sort_keys=True))


def _text(file: Path) -> str | None:
    return file.read_text() if file.exists() else None


def _differing(one: Path, other: Path) -> list[str]:
    names = sorted({file.name for folder in (one, other) for file in folder.glob("*.json")})
    return [name for name in names if _text(one / name) != _text(other / name)]


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--against", type=click.Path(exists=True, file_okay=False, path_type=Path), help="An earlier record.")
def main(folder: Path, against: Path | None) -> None:
    """Record all cases into a folder, and compare them with an earlier record."""
    folder.mkdir(parents=True, exist_ok=True)
    _record(folder)
    differing = _differing(against, folder) if against else []
    for name in differing:
        click.echo(f"differs: {name}")
    click.echo(f"{len(list(folder.glob('*.json')))} answers in {folder}, {len(differing)} differ")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
