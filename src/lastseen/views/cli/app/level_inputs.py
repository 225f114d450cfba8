"""Load the levels, cell files and comma-separated names that commands are given."""

from __future__ import annotations

from collections.abc import Sequence

from ....cells.cell_file import Baked, load_baked
from ....errors import InputError
from .bake_request import BakeRequest
from .console import Stages
from .level_source import is_cell_file, read_source, source_name


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
