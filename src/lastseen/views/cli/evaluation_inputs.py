"""What evaluations are given: levels to bake, a folder for the report, names with commas between, processes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...cells.layout import CellLayout
    from ...level.level import Level
    from .baking import BakeSettings
    from .console import Stages

__all__ = ["bake_all", "names_in", "report_folder"]


def bake_all(
    levels: tuple[str, ...], stages: Stages, usual: Callable[[Level], BakeSettings]
) -> dict[str, tuple[CellLayout, Level | None]]:
    """Return cells and level by name; `usual` says how a level that is not baked yet is baked."""
    from ...errors import InputError
    from .source import source_name

    baked: dict[str, tuple[CellLayout, Level | None]] = {}
    for given in levels:
        name = source_name(given)
        if name in baked:
            raise InputError(f"two levels are called {name!r}; give each level once, under a name of its own")
        baked[name] = _bake(given, stages, usual)
    return baked


def _bake(given: str, stages: Stages, usual: Callable[[Level], BakeSettings]) -> tuple[CellLayout, Level | None]:
    from .baking import bake_level
    from .cell_file import load_baked
    from .source import is_cell_file, read_source

    if is_cell_file(given):
        stored = stages.run("read", load_baked, given)
        return stored.layout, stored.level
    drawn = stages.run("read", read_source, given)
    return bake_level(drawn, usual(drawn), stages, given), drawn


def report_folder(report: str) -> Path:
    """Return the folder of a report, there or not yet; it has been tried to write there."""
    from .outputs import check_folder

    return check_folder(report, "a report")


def names_in(given: str | None, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Return names with commas between as a tuple; None: the usual ones."""
    from ...errors import InputError

    names = usual if given is None else tuple(name.strip() for name in given.split(",") if name.strip())
    if not names:
        raise InputError(f"{given!r} names nothing to measure; give names with commas between, such as {usual[0]!r}")
    return names
