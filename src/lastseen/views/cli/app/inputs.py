"""What commands are given: levels, cell files, scenarios, names and positions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from ....cells.cell_file import Baked, load_baked
from ....cells.layout import CellLayout
from ....checks import point_xyz
from ....conventions import Floats
from ....errors import InputError, LevelError, did_you_mean
from ....level.level import Level
from ....level.read import inspect_level
from ....level.samples import SAMPLES, sample
from .bake_request import BakeRequest
from .console import Stages

SAMPLE_PREFIX = "sample:"
_MAGIC = b"lastseen"
_MOST_WARNINGS = 3


def read_source(given: str, *, kind: str = "auto", up: str = "auto", flip: bool = False) -> Level:
    """Return the level `given` names: a file if it exists, else a sample; `sample:NAME` is always a sample.

    The first warnings go to stderr; `lastseen level check` shows all of them.
    """
    if is_sample(given):
        for option, is_given in (("--kind", kind != "auto"), ("--up", up != "auto"), ("--flip", flip)):
            if is_given:
                raise InputError(f"{option} says how to read a file, but {given!r} is a sample level; leave it out")
        return _sample(given.removeprefix(SAMPLE_PREFIX))
    level, faults = inspect_level(given, kind=kind, up=up, flip=flip)
    if level is None or any(fault.severity == "error" for fault in faults):
        raise LevelError(given, faults)
    for fault in faults[:_MOST_WARNINGS]:
        click.echo(f"warning: {given}: {fault}", err=True)
    if len(faults) > _MOST_WARNINGS:
        rest = f"{len(faults) - _MOST_WARNINGS} more warnings; see them all: lastseen level check {given}"
        click.echo(f"warning: {given}: {rest}", err=True)
    return level


def is_sample(given: str) -> bool:
    """Return whether `given` means a sample level: it has the prefix, or it is the name of a sample and not of a file.

    A bare word that is neither raises an error here, since it was most likely meant as a sample.
    """
    if given.startswith(SAMPLE_PREFIX):
        return True
    try:
        there = Path(given).exists()
    except (OSError, ValueError):
        there = False
    if there:
        return False
    hint = did_you_mean(Path(given).stem, SAMPLES) if Path(given).name == given else ""
    if given not in SAMPLES and (given.isidentifier() or hint):
        raise InputError(f"{given!r} is neither a file nor a sample level{hint}; samples are {', '.join(SAMPLES)}")
    return given in SAMPLES


def is_cell_file(given: str) -> bool:
    """Return whether a file starts like a cell file, or is named like one."""
    path = Path(given)
    try:
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
    except (OSError, ValueError):
        return path.suffix == ".cells"
    return start == _MAGIC or path.suffix == ".cells"


def refuse_cell_file(given: str) -> None:
    """Raise if a level is needed, but a cell file is given."""
    if is_cell_file(given):
        raise InputError(f"{given} is a cell file; give the level it was baked from")


def require_level_or_scenario(given: str) -> None:
    """Raise for a bare word that names neither a file, a shipped scenario nor a sample level."""
    from ....simulation.scenario.reader import shipped_scenarios

    names = (*shipped_scenarios(), *SAMPLES)
    if given.isidentifier() and given not in names and not Path(given).exists():
        raise InputError(
            f"{given!r} is neither a file, a shipped scenario nor a sample level{did_you_mean(given, names)}; "
            "`lastseen run --list` lists scenarios, `lastseen level list` levels"
        )


def source_name(given: str) -> str:
    """Return a short name for titles and output files."""
    return given.removeprefix(SAMPLE_PREFIX) if given.startswith(SAMPLE_PREFIX) else Path(given).stem


def _sample(name: str) -> Level:
    if name not in SAMPLES:
        raise InputError(f"no sample level {name!r}{did_you_mean(name, SAMPLES)}; samples are {', '.join(SAMPLES)}")
    return sample(name)


def load_or_bake(level: str, kind: str, up: str, cell: float | None, radius: float | None, stages: Stages) -> Baked:
    """Return the content of a cell file, or a level baked with the given cell size and body radius."""
    if is_cell_file(level):
        for name, given, verb in (
            ("cell", cell, "bake"),
            ("radius", radius, "bake"),
            ("kind", None if kind == "auto" else kind, "read a level"),
            ("up", None if up == "auto" else up, "read a level"),
        ):
            if given is not None:
                raise InputError(
                    f"--{name} says how to {verb}, but {level} is already baked; leave it out, or bake it again"
                )
        baked: Baked = stages.run("read", load_baked, level)
        return baked
    drawn = stages.run("read", read_source, level, kind=kind, up=up)
    return Baked(BakeRequest(cell=cell, radius=radius).bake(drawn, stages, level), drawn, {})


def require_names(given: Sequence[str], what: str) -> dict[str, str]:
    """Return what was given by its short name; no two may have the same."""
    found: dict[str, str] = {}
    for one in given:
        name = source_name(one)
        if name in found:
            raise InputError(f"two {what} are called {name!r}; give each a name of its own")
        found[name] = one
    return found


def names_in(given: str | None, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Split comma-separated names into a tuple; None gives `usual`."""
    names = usual if given is None else tuple(name.strip() for name in given.split(",") if name.strip())
    if not names:
        raise InputError(f"{given!r} contains no names; give comma-separated names, such as {usual[0]!r}")
    return names


def parse_place(layout: CellLayout, given: str, option: str) -> Floats:
    """Return (3,) float64 metres; without z, on the lowest floor there, or on the floor of the nearest cell."""
    numbers = parse_numbers(given, option, "position", "in metres, such as 4.5,3")
    place = point_xyz(numbers, option)
    if len(numbers) == 2:
        cells = layout.arrays.cell_xyz.astype(np.float64)
        away = np.hypot(cells[:, 0] - place[0], cells[:, 1] - place[1])
        near = away <= max(float(away.min(initial=np.inf)), float(layout.arrays.size_xyz[0]))
        place[2] = float(cells[near, 2].min()) if near.any() else 0.0
    return place


def parse_direction(given: str | None, option: str) -> Floats:
    """Return (3,) float64 of any length; zeros if nothing is given."""
    if given is None:
        return np.zeros(3)
    return point_xyz(parse_numbers(given, option, "direction", "such as 1,0 or -1,0.5"), option)


def parse_numbers(given: str, option: str, what: str, example: str) -> list[float]:
    """Return the two or three numbers of "x,y" or "x,y,z"."""
    try:
        numbers = [float(part) for part in given.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3):
        raise InputError(f"{option} {given!r} is not a {what}; give x,y or x,y,z {example}")
    if not np.isfinite(numbers).all():
        raise InputError(f"{option} {given!r} has a number that is not finite; give x,y or x,y,z {example}")
    return numbers
