"""Parse the inputs that evaluations share: levels to bake, a report folder and comma-separated names."""

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
    """Return cells and level by name; `usual` gives the bake settings of a level that is not baked yet."""
    from ...errors import InputError
    from .source import source_name

    baked: dict[str, tuple[CellLayout, Level | None]] = {}
    for given in levels:
        name = source_name(given)
        if name in baked:
            raise InputError(f"two levels are called {name!r}; give each level a name of its own")
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
    """Return the folder of a report, which may not exist yet, after checking that it is writable."""
    from .outputs import check_folder

    return check_folder(report, "a report")


def names_in(given: str | None, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Split comma-separated names into a tuple; None gives `usual`."""
    from ...errors import InputError

    names = usual if given is None else tuple(name.strip() for name in given.split(",") if name.strip())
    if not names:
        raise InputError(f"{given!r} contains no names; give comma-separated names, such as {usual[0]!r}")
    return names
