"""Options shared by several commands, and short forms of declaring one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Command], Command]


def number(*names: str, unit: str, about: str, **more: Any) -> Option[Any]:
    """Return an option that takes a number; `unit` is shown in the help."""
    return click.option(*names, type=float, metavar=unit, help=about, **more)


def count(*names: str, about: str, **more: Any) -> Option[Any]:
    """Return an option that takes a whole number."""
    return click.option(*names, type=int, metavar="N", help=about, **more)


def file(*names: str, about: str, **more: Any) -> Option[Any]:
    """Return an option that takes a file."""
    return click.option(*names, metavar="FILE", help=about, **more)


def together(options: Sequence[Option[Any]]) -> Option[Any]:
    """Return one decorator that adds several options, in their order."""

    def add(function: Command) -> Command:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def _own(group: str) -> Callable[[click.Context, click.Parameter, str | tuple[str, ...] | None], None]:
    """Return a callback that imports MODULE:NAME for the time of the command, and the processes it starts."""

    def use(context: click.Context, _: click.Parameter, given: str | tuple[str, ...] | None) -> None:
        from ....extensions import own_used

        for text in (given,) if isinstance(given, str) else given or ():
            context.meta[f"lastseen.{group}"] = [*context.meta.get(f"lastseen.{group}", ()), text]
            context.with_resource(own_used(group, text))
            if group == "leaves":
                from ....agents.brains.leaves.registry import own_registry

                own_registry(text)
            else:
                from ....reasoning.chase.predictors import predictor_kind

                predictor_kind(text)

    return use


leaves_option = click.option(
    "--leaves",
    metavar="MODULE:NAME",
    expose_value=False,
    callback=_own("leaves"),
    help="Your own registry of leaves, which the trees of scenarios may use besides the shipped ones.",
)
predictor_option = click.option(
    "--predictor",
    metavar="MODULE:NAME",
    multiple=True,
    expose_value=False,
    callback=_own("predictors"),
    help="Your own predictor, which scenarios may name as `chase: MODULE:NAME`.",
)


def output_option(words: str, *, required: bool = True) -> Option[Any]:
    """Return the `-o` option with its own help."""
    return file("-o", "--output", about=words, required=required)


kind_option = click.option(
    "--kind", default="auto", metavar="KIND", help="Format of the file; detected from its content if not given."
)
up_option = click.option(
    "--up",
    type=click.Choice(["auto", "y", "z"]),
    default="auto",
    help="Axis that points up in a triangle mesh; the format's default if not given.",
)
flip_option = click.option(
    "--flip", is_flag=True, help="Reverse the winding of triangles, for a mesh whose floors face down."
)
scale_option = number("--scale", unit="PX", about="Pixels per metre; fits a large screen if not given.")
storey_option = count("--storey", about="Draw one storey only; 0 is the lowest.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
seed_option = count("--seed", default=0, about="Random seed; the same seed gives the same result.  [0]")
level_options = together([kind_option, up_option])
"""How to read a level file."""
picture_options = together([scale_option, storey_option])
"""How to draw a picture."""
bake_again_options = together(
    [
        number("--cell", unit="M", about="Edge of a cell in metres, if LEVEL has to be baked."),
        number("--radius", unit="M", about="Radius of the body in metres, if LEVEL has to be baked."),
    ]
)
"""How to bake a level that is not a cell file."""
bake_options = together(
    [
        number("--cell", unit="M", about="Edge of a cell in metres.  [1, or the tile size of a tile map]"),
        number("--height", unit="M", about="Height of a cell in metres.  [2]"),
        number("--radius", unit="M", about="Body: radius in metres.  [0.3]"),
        number("--body", unit="M", about="Body: required headroom in metres.  [1.8]"),
        number("--climb", unit="M", about="Body: highest step in metres.  [0.4]"),
        number("--slope", unit="DEG", about="Body: steepest floor in degrees.  [45]"),
        click.option("--builder", default="auto", metavar="NAME", help="auto, polygon, tile, voxel or ready.  [auto]"),
        number("--voxel", unit="M", about="Triangle meshes: voxel edge in metres."),
        number("--voxel-height", unit="M", about="Triangle meshes: voxel height in metres."),
        number("--min-region", unit="M2", about="Triangle meshes: drop smaller islands, m².  [2]"),
        kind_option,
        up_option,
        flip_option,
    ]
)
"""How to bake a level, and how to read its file."""
