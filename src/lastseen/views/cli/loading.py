"""Load a cell file, or bake a level on the spot."""

from __future__ import annotations

from ...errors import InputError
from .baking import BakeSettings, bake_level
from .cell_file import Baked, load_baked
from .console import Stages
from .source import is_cell_file, read_source

__all__ = ["load_or_bake"]


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
    settings = BakeSettings(cell=cell, radius=radius).settled(drawn)
    return Baked(bake_level(drawn, settings, stages, level), drawn, {})
