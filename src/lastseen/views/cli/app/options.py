"""Options shared by several commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

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
scale_option = click.option(
    "--scale", type=float, metavar="PX", help="Pixels per metre; fits a large screen if not given."
)
storey_option = click.option("--storey", type=int, metavar="N", help="Draw one storey only; 0 is the lowest.")


def output_option(words: str, *, required: bool = True) -> Callable[[Command], Command]:
    """Return the `-o` option with its own help."""
    return click.option("-o", "--output", metavar="FILE", required=required, help=words)


_BAKE = (
    click.option(
        "--cell", type=float, metavar="M", help="Edge of a cell in metres.  [1, or the tile size of a tile map]"
    ),
    click.option("--height", type=float, metavar="M", help="Height of a cell in metres.  [2]"),
    click.option("--radius", type=float, metavar="M", help="Body: radius in metres.  [0.3]"),
    click.option("--body", type=float, metavar="M", help="Body: required headroom in metres.  [1.8]"),
    click.option("--climb", type=float, metavar="M", help="Body: highest step in metres.  [0.4]"),
    click.option("--slope", type=float, metavar="DEG", help="Body: steepest floor in degrees.  [45]"),
    click.option("--builder", default="auto", metavar="NAME", help="auto, polygon, tile, voxel or ready.  [auto]"),
    click.option("--voxel", type=float, metavar="M", help="Triangle meshes: voxel edge in metres."),
    click.option("--voxel-height", type=float, metavar="M", help="Triangle meshes: voxel height in metres."),
    click.option("--min-region", type=float, metavar="M2", help="Triangle meshes: drop smaller islands, m².  [2]"),
    kind_option,
    up_option,
    flip_option,
)


def bake_options(function: Command) -> Command:
    """Add all options that control how a level is baked."""
    for option in reversed(_BAKE):
        function = option(function)
    return function
