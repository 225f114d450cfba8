"""`lastseen level check FILE…`: report every fault of level files, where it is and how to fix it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from .options import flip_option, kind_option, up_option

if TYPE_CHECKING:
    from ...errors import Fault

__all__ = ["command"]


@click.command("check", short_help="Print every fault of level files.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@kind_option
@up_option
@flip_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], kind: str, up: str, flip: bool, as_json: bool) -> None:
    """Print every fault of each FILE: where it is, what it is, and how to fix it.

    Exits with 0 if all files are sound and small enough for the default bake settings (warnings do not count), else
    with 2. It does not check whether a body fits through: that depends on --radius, --body and --slope.

    \b
    lastseen level check my.geojson
    lastseen level check maps/*.map --json
    """
    found = [(file, _faults(file, kind, up, flip)) for file in files]
    errors = sum(_count(faults, "error") for _, faults in found)
    if as_json:
        report = {
            "errors": errors,
            "warnings": sum(_count(faults, "warning") for _, faults in found),
            "files": [_as_object(file, faults) for file, faults in found],
        }
        click.echo(json.dumps(report, indent=2, allow_nan=False))
    else:
        for file, faults in found:
            _print(file, faults)
    ctx.exit(2 if errors else 0)


def _faults(file: str, kind: str, up: str, flip: bool) -> tuple[Fault, ...]:
    from ...errors import Fault, InputError, LevelError
    from ...level.check import find_faults
    from ...level.check_size import size_faults
    from ...level.read import inspect_level
    from .source import is_sample, read_source

    try:
        if is_sample(file):
            return find_faults(read_source(file, kind=kind, up=up, flip=flip))
        level, faults = inspect_level(file, kind=kind, up=up, flip=flip)
        if level is None or _count(faults, "error"):
            return faults
        return (*size_faults(level), *faults)
    except LevelError as error:
        return error.faults
    except InputError as error:
        what, _, advice = str(error).partition("; ")
        return (Fault(what, advice),)


def _count(faults: tuple[Fault, ...], severity: str) -> int:
    return sum((fault.severity == "error") == (severity == "error") for fault in faults)


def _as_object(file: str, faults: tuple[Fault, ...]) -> dict[str, Any]:
    return {
        "file": file,
        "errors": _count(faults, "error"),
        "warnings": _count(faults, "warning"),
        "faults": [
            {
                "severity": fault.severity,
                "where": fault.where,
                "at": None if fault.at is None else [_finite(value) for value in fault.at],
                "what": fault.what,
                "advice": fault.advice,
            }
            for fault in faults
        ],
    }


def _finite(value: float) -> float | str:
    """Return a number JSON can hold; NaN and infinity become strings."""
    return float(value) if abs(value) < float("inf") else str(float(value))


def _print(file: str, faults: tuple[Fault, ...]) -> None:
    if not faults:
        click.echo(f"{file}: no faults")
        return
    errors, warnings = _count(faults, "error"), _count(faults, "warning")
    click.echo(f"{file}: {_plural(errors, 'error')}, {_plural(warnings, 'warning')}")
    for fault in faults:
        place = fault.where
        if fault.at is not None:
            place += (" " if place else "") + "at (" + ", ".join(f"{value:g}" for value in fault.at) + ")"
        click.echo(f"  {fault.severity:<8} {place + ': ' if place else ''}{fault.what}")
        click.echo(f"  {'':<8} -> {fault.advice}")


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
