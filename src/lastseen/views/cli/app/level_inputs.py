"""Load the levels, cell files and comma-separated names that commands are given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ....cells.cell_file import Baked, load_baked
from ....errors import InputError
from .bake_request import BakeRequest
from .console import Stages
from .level_source import is_cell_file, read_source

if TYPE_CHECKING:
    from ....cells.layout import CellLayout
    from ....level.level import Level
    from .console import Stages

__all__ = ["bake_all", "load_or_bake", "names_in", "report_folder"]


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


def bake_all(levels: tuple[str, ...], stages: Stages) -> dict[str, tuple[CellLayout, Level | None]]:
    """Return cells and level by name; levels that are not baked yet get the default cells."""
    from .level_source import source_name

    baked: dict[str, tuple[CellLayout, Level | None]] = {}
    for given in levels:
        name = source_name(given)
        if name in baked:
            raise InputError(f"two levels are called {name!r}; give each level a name of its own")
        one = load_or_bake(given, "auto", "auto", None, None, stages)
        baked[name] = one.layout, one.level
    return baked


def report_folder(report: str) -> Path:
    """Return the folder of a report, which may not exist yet, after checking that it is writable."""
    from .outputs import check_folder

    return check_folder(report, "a report")


def names_in(given: str | None, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Split comma-separated names into a tuple; None gives `usual`."""
    from ....errors import InputError

    names = usual if given is None else tuple(name.strip() for name in given.split(",") if name.strip())
    if not names:
        raise InputError(f"{given!r} contains no names; give comma-separated names, such as {usual[0]!r}")
    return names
