"""Options the commands that place guards share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from .options import up_option

__all__ = ["placing_options"]

Command = TypeVar("Command", bound=Callable[..., Any])

_TERMS = ("linear", "flat")
_PACKINGS = ("remainder-boundary", "neighbourhood-growth", "voronoi", "skeleton")
_ARCHETYPES = ("walking", "standing", "turning", "camera")

_KINDS = f"{', '.join(_ARCHETYPES)}; given several times, guards take them in turn.  [walking]"
_PLACING = (
    click.option(
        "--path", "path", metavar="FILE", help="Intended path: GeoJSON with one LineString.  [that of the level]"
    ),
    click.option("--kind", "kinds", multiple=True, metavar="KIND", help=_KINDS),
    click.option("--view", type=float, metavar="M", help="How far guards see, metres.  [8; 12 for cameras]"),
    click.option("--angle", type=float, metavar="DEG", help="Full opening of their view, degrees.  [90; 120; 60]"),
    click.option("--speed", type=float, metavar="M/S", help="How fast those walk who walk.  [1.5]"),
    click.option("--turn", type=float, metavar="DEG/S", help="How fast they turn, degrees a second.  [180; 60; 30]"),
    click.option("--passive", type=float, metavar="M", help="How near they notice anybody: the smallest circle.  [1]"),
    click.option("--radius", type=float, metavar="M", help="Radius of their body.  [0.3; 0 for tile maps]"),
    click.option(
        "--packing", metavar="NAME", help=f"How the floor is cut: {', '.join(_PACKINGS)}.  [remainder-boundary]"
    ),
    click.option("--coarseness", type=float, metavar="X", help="Factor on the largest circle.  [1]"),
    click.option("--path-cost", type=float, metavar="X", help="Cost of ways on the path; high keeps guards off.  [2]"),
    click.option("--guard-cost", type=float, metavar="X", help="Cost near earlier guards, --one-by-one.  [0.5]"),
    click.option("--guard-term", type=click.Choice(_TERMS), help="Does that drop off with distance?  [linear]"),
    click.option("--drop-off", type=float, metavar="X", help="How far from the path and guards costs reach.  [0.15]"),
    click.option("--least", type=float, metavar="X", help="Least cost of a round.  [0.5]"),
    click.option("--most", type=float, metavar="X", help="Most cost of a round.  [2]"),
    click.option("--raw", is_flag=True, help="Costs and lengths above are metres, not shares of the level's size."),
    click.option("--together/--one-by-one", default=True, help="Choose guards for what they see together.  [together]"),
    click.option("--candidates", type=int, metavar="N", help="Rounds drawn for each guard when together.  [24]"),
    click.option("--spare-path", type=float, metavar="X", help="How much seeing the path counts against.  [1]"),
    click.option("--player-speed", type=float, metavar="M/S", help="How fast players are.  [2.5]"),
    click.option(
        "--within", type=float, metavar="M", help="How far from the path they may step aside and still pass it.  [1]"
    ),
    click.option("--seed", type=int, default=0, metavar="N", help="The same seed places the same guards.  [0]"),
    click.option(
        "--level-kind", default="auto", metavar="KIND", help="Format of LEVEL; found from its content if not given."
    ),
    up_option,
)


def placing_options(function: Command) -> Command:
    """Add everything that says who is placed, and how."""
    for option in reversed(_PLACING):
        function = option(function)
    return function
