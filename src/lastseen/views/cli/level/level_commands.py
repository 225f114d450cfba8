"""`lastseen level …`: check, convert, list and draw level files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..app.main import LazyGroup
from ..app.options import file, flip_option, json_option, level_options, output_option, picture_options

if TYPE_CHECKING:
    from ....errors import Fault
    from ....level.level import Level


@click.command("check", short_help="Print every fault of level files.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@file("--guards", about="Also check that these guards fit each level: a file from `guards place`.")
@level_options
@flip_option
@json_option
@click.pass_context
def check_command(
    ctx: click.Context, files: tuple[str, ...], guards: str | None, kind: str, up: str, flip: bool, as_json: bool
) -> None:
    """Print every fault of each FILE: where it is, what it is, and how to fix it.

    Exits with 0 if all files are sound and small enough for the default bake settings (warnings do not count), else
    with 2. It does not check whether a body fits through: that depends on --radius, --body and --slope.

    \b
    Examples:
      lastseen level check my.geojson
      lastseen level check maps/*.map --json
      lastseen level check warehouse --guards guards.geojson
    """
    from ..app.outputs import echo_json

    found = [(file, _faults(file, kind, up, flip, guards)) for file in files]
    errors = sum(_count(faults, "error") for _, faults in found)
    if as_json:
        report = {
            "errors": errors,
            "warnings": sum(_count(faults, "warning") for _, faults in found),
            "files": [_as_object(file, faults) for file, faults in found],
        }
        echo_json(report)
    else:
        for file, faults in found:
            _print(file, faults)
    ctx.exit(2 if errors else 0)


def _faults(file: str, kind: str, up: str, flip: bool, guards: str | None) -> tuple[Fault, ...]:
    """Return the faults of a level; once it has no errors, also those of the guards in it."""
    from ....errors import Fault, InputError, LevelError
    from ....level.check import find_faults
    from ....level.check_size import size_faults
    from ....level.read import inspect_level
    from ..app.inputs import is_sample, read_source

    level: Level | None
    try:
        if is_sample(file):
            drawn = read_source(file, kind=kind, up=up, flip=flip)
            level, faults = drawn, find_faults(drawn)
        else:
            level, faults = inspect_level(file, kind=kind, up=up, flip=flip)
            if level is not None and not _count(faults, "error"):
                faults = (*size_faults(level), *faults)
        if guards is None or level is None or _count(faults, "error"):
            return faults
        from ....reasoning.placement.files.level_guards import guarded_level

        return (*faults, *(fault for fault in find_faults(guarded_level(level, guards)) if fault not in faults))
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


@click.command("convert", short_help="Write a level as GeoJSON or as a GRAM scene.")
@click.argument("level", metavar="LEVEL")
@output_option("File to write.")
@click.option("--to", type=click.Choice(["geojson", "gram"]), default="geojson", help="Format to write.  [geojson]")
@level_options
@flip_option
def convert_command(level: str, output: str, to: str, kind: str, up: str, flip: bool) -> None:
    """Write LEVEL (a file or the name of a sample) as GeoJSON, without loss, or a flat one as a GRAM scene.

    \b
    Examples:
      lastseen level convert arena.map -o arena.geojson
      lastseen level convert house -o my_house.geojson
      lastseen level convert warehouse --to gram -o warehouse.json
    """
    from ....level.gram_scene import write_gram
    from ....level.write import write_level
    from ..app.inputs import read_source
    from ..app.outputs import check_output

    path = check_output(output, level)
    (write_level if to == "geojson" else write_gram)(read_source(level, kind=kind, up=up, flip=flip), path)
    click.echo(f"wrote {output}")


@click.command("list", short_help="List the sample levels.")
@json_option
def list_command(as_json: bool) -> None:
    """List the sample levels; their names work wherever a command takes a LEVEL."""
    from ....level.samples import SAMPLES, describe

    if as_json:
        click.echo(json.dumps({"samples": [{"name": n, "description": describe(n)} for n in SAMPLES]}, indent=2))
        return
    longest = max(map(len, SAMPLES))
    for name in SAMPLES:
        click.echo(f"{name:<{longest}}  {describe(name)}")


@click.command("show", short_help="Draw a level before baking.")
@click.argument("level", metavar="LEVEL")
@output_option("PNG file to write.")
@level_options
@picture_options
@click.option("--labels/--no-labels", default=None, help="Label things with their names.  [where there is room]")
def show_command(
    level: str, output: str, kind: str, up: str, scale: float | None, storey: int | None, labels: bool | None
) -> None:
    """Draw LEVEL (a file or the name of a sample) as designed, before anything is baked."""
    from ....files import atomic_write
    from ..app.inputs import read_source, source_name
    from ..app.outputs import check_picture

    path = check_picture(output, level)
    drawn = read_source(level, kind=kind, up=up)
    from ...figures.level.level_figure import draw_level

    title = drawn.name or source_name(level)
    atomic_write(path, draw_level(drawn, scale=scale, storey=storey, labels=labels, title=title))
    click.echo(f"wrote {output}")


command = LazyGroup(
    name="level",
    homes={
        "check": "level.level_commands:check_command",
        "convert": "level.level_commands:convert_command",
        "list": "level.level_commands:list_command",
        "show": "level.level_commands:show_command",
    },
    help="Check, convert, list and draw level files.",
)
