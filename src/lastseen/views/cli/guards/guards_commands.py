"""`lastseen guards …`: place, verify and improve guards, and the options these commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..app.main import LazyGroup
from ..app.options import up_option

Command = TypeVar("Command", bound=Callable[..., Any])

_TERMS = ("linear", "flat")
_PACKINGS = ("remainder-boundary", "neighbourhood-growth", "voronoi", "skeleton")
_ARCHETYPES = ("walking", "standing", "turning", "camera")

_KINDS = f"{', '.join(_ARCHETYPES)}; if repeated, guards take them in turn.  [walking]"
_PLACING = (
    click.option(
        "--path", "path", metavar="FILE", help="Intended path: GeoJSON with one LineString.  [the level's own]"
    ),
    click.option("--kind", "kinds", multiple=True, metavar="KIND", help=_KINDS),
    click.option("--view", type=float, metavar="M", help="View distance of guards in metres.  [8; 12 for cameras]"),
    click.option(
        "--angle", type=float, metavar="DEG", help="Full opening angle of their view in degrees.  [90; 120; 60]"
    ),
    click.option("--speed", type=float, metavar="M/S", help="Speed of walking guards.  [1.5]"),
    click.option("--turn", type=float, metavar="DEG/S", help="Turning speed in degrees per second.  [180; 60; 30]"),
    click.option(
        "--passive", type=float, metavar="M", help="Distance at which they notice anyone: the smallest circle.  [1]"
    ),
    click.option("--radius", type=float, metavar="M", help="Body radius of guards.  [0.3; 0 for tile maps]"),
    click.option(
        "--packing", metavar="NAME", help=f"How the floor is partitioned: {', '.join(_PACKINGS)}.  [remainder-boundary]"
    ),
    click.option("--coarseness", type=float, metavar="X", help="Factor on the largest circle.  [1]"),
    click.option(
        "--path-cost", type=float, metavar="X", help="Cost of links on the path; high values keep guards off it.  [2]"
    ),
    click.option("--guard-cost", type=float, metavar="X", help="Cost near earlier guards, with --one-by-one.  [0.5]"),
    click.option("--guard-term", type=click.Choice(_TERMS), help="How that cost drops off with distance.  [linear]"),
    click.option(
        "--drop-off", type=float, metavar="X", help="Distance over which path and guard costs drop off.  [0.15]"
    ),
    click.option("--least", type=float, metavar="X", help="Minimum cost of a route.  [0.5]"),
    click.option("--most", type=float, metavar="X", help="Maximum cost of a route.  [2]"),
    click.option(
        "--raw", is_flag=True, help="Costs and lengths above are in metres, not in units of the level's size."
    ),
    click.option(
        "--together/--one-by-one", default=True, help="Choose guards jointly, by what they see together.  [together]"
    ),
    click.option(
        "--candidates", type=int, metavar="N", help="Candidate routes drawn per guard, with --together.  [24]"
    ),
    click.option("--spare-path", type=float, metavar="X", help="Penalty for seeing the path.  [1]"),
    click.option("--player-speed", type=float, metavar="M/S", help="Speed of players.  [2.5]"),
    click.option(
        "--within", type=float, metavar="M", help="How far players may leave the path and still count as on it.  [1]"
    ),
    click.option(
        "--seed", type=int, default=0, metavar="N", help="Random seed; the same seed places the same guards.  [0]"
    ),
    click.option(
        "--level-kind", default="auto", metavar="KIND", help="Format of LEVEL; detected from its content if not given."
    ),
    up_option,
)


def placing_options(function: Command) -> Command:
    """Add all options that control which guards are placed, and how."""
    for option in reversed(_PLACING):
        function = option(function)
    return function


command = LazyGroup(
    name="guards",
    homes={
        "place": "guards.place",
        "verify": "guards.verify",
        "improve": "guards.improve",
        "experiment": "guards.experiment",
    },
    help="Place guards around an intended path, verify and improve them.",
)
