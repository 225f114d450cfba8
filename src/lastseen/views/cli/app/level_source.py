"""Resolve the level or cell file a command is given: a file, or the name of a sample."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ....errors import InputError, LevelError, did_you_mean

if TYPE_CHECKING:
    from ....level.level import Level

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
    from ....level.read import inspect_level

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
    from ....level.samples import SAMPLES

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


def source_name(given: str) -> str:
    """Return a short name for titles and output files."""
    return given.removeprefix(SAMPLE_PREFIX) if given.startswith(SAMPLE_PREFIX) else Path(given).stem


def _sample(name: str) -> Level:
    from ....level.samples import SAMPLES, sample

    if name not in SAMPLES:
        raise InputError(f"no sample level {name!r}{did_you_mean(name, SAMPLES)}; samples are {', '.join(SAMPLES)}")
    return sample(name)
