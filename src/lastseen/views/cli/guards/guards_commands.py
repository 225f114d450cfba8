"""`lastseen guards …`: place, verify and improve guards, and repeat the source's experiments."""

from __future__ import annotations

from typing import Any

import click

from ..app.main import LazyGroup
from ..app.options import (
    count,
    file,
    json_option,
    number,
    output_option,
    picture_options,
    scale_option,
    seed_option,
    storey_option,
    together,
    up_option,
)

_PACKINGS = "remainder-boundary, neighbourhood-growth, voronoi, skeleton"
_level_kind = click.option(
    "--level-kind", default="auto", metavar="KIND", help="Format of LEVEL; detected from its content if not given."
)
_path = file("--path", about="Intended path: GeoJSON with one LineString.  [the level's own]")
_trees = count("--trees", about="Trees each run tries in turn.  [6]")
_nodes = count("--nodes", about="Samples drawn for each tree.  [4000]")
_close = number("--close", unit="M", about="Solutions within this distance of the path count as close.  [3]")
_limit = number("--seconds", unit="S", about="Time limit for players.  [60, or 4 times the path's duration]")
_threads = count("--jobs", about="Number of threads; does not change the result.  [all cores]")
_contact = click.option(
    "--contact/--no-contact",
    default=True,
    help="Whether guards also notice players they touch, or within their passive radius.  [contact]",
)
_placing = together(
    [
        _path,
        click.option(
            "--kind",
            "kinds",
            multiple=True,
            metavar="KIND",
            help="walking, standing, turning, camera; if repeated, guards take them in turn. 2*camera:view=9,angle=40 "
            "names two with a view of their own (view, angle, speed, turn, passive, sweep, pause, eye).  [walking]",
        ),
        number("--view", unit="M", about="View distance of guards in metres.  [8; 12 for cameras]"),
        number("--angle", unit="DEG", about="Full opening angle of their view in degrees.  [90; 120; 60]"),
        number("--speed", unit="M/S", about="Speed of walking guards.  [1.5]"),
        number("--turn", unit="DEG/S", about="Turning speed in degrees per second.  [180; 60; 30]"),
        number("--passive", unit="M", about="Distance at which they notice anyone: the smallest circle.  [1]"),
        number("--radius", unit="M", about="Body radius of guards.  [0.3; 0 for tile maps]"),
        click.option(
            "--packing", metavar="NAME", help=f"How the floor is partitioned: {_PACKINGS}.  [remainder-boundary]"
        ),
        click.option(
            "--routes",
            type=click.Choice(["walks", "segments"]),
            help="Closed walks, or Xu's baseline: one straight segment per region, whatever the path.  [walks]",
        ),
        number("--coarseness", unit="X", about="Factor on the largest circle.  [1]"),
        number("--path-cost", unit="X", about="Cost of links on the path; high values keep guards off it.  [2]"),
        number("--guard-cost", unit="X", about="Cost near earlier guards, with --one-by-one.  [0.5]"),
        click.option(
            "--guard-term",
            type=click.Choice(["linear", "flat"]),
            help="How that cost drops off with distance.  [linear]",
        ),
        number("--drop-off", unit="X", about="Distance over which path and guard costs drop off.  [0.15]"),
        number("--least", unit="X", about="Minimum cost of a route.  [0.5]"),
        number("--most", unit="X", about="Maximum cost of a route.  [2]"),
        click.option(
            "--raw", is_flag=True, help="Costs and lengths above are in metres, not in units of the level's size."
        ),
        click.option(
            "--together/--one-by-one",
            default=True,
            help="Choose guards jointly, by what they see together.  [together]",
        ),
        count("--candidates", about="Candidate routes drawn per guard, with --together.  [24]"),
        number("--spare-path", unit="X", about="Penalty for seeing the path.  [1]"),
        click.option(
            "--grammar",
            metavar="RULES",
            help="Add pauses and detours to routes: plain, lively, or rules such as 'stop -> stop wait 2 : 0.3'.  "
            "[plain]",
        ),
        count("--rewrites", about="How many times these rules are applied, at most 10.  [1]"),
        number("--player-speed", unit="M/S", about="Speed of players.  [2.5]"),
        number("--within", unit="M", about="How far players may leave the path and still count as on it.  [1]"),
        _contact,
        count("--seed", default=0, about="Random seed; the same seed places the same guards.  [0]"),
        _level_kind,
        up_option,
    ]
)
"""Which guards are placed, and how."""


@click.command("place", short_help="Place guards around an intended path.")
@click.argument("level", metavar="LEVEL")
@count("--guards", about="Number of guards, 1 to 500.  [one of each --kind]")
@output_option("GeoJSON file to write the guards to.", required=False)
@file("--into", about="Write the level with these guards: .geojson, .json (a GRAM scene), or .yaml (a scenario).")
@_placing
@click.option(
    "--checked/--unchecked",
    default=True,
    help="Redraw until the path can be walked unseen, in space and time; fail if it never can.  [checked]",
)
@file("--png", about="Write a picture of circles, links, routes, views and the path.")
@picture_options
@json_option
def place_command(level: str, **given: Any) -> None:
    """Place guards on LEVEL (a level file or a sample) that leave the intended path possible and alternatives open.

    The floor is packed with circles as large as guards can watch; guards walk closed routes between circles that see
    each other. Links near the path cost more, and a route may cost at most --most. Costs are in units of the level's
    size (the square root of its area) unless --raw is given.

    \b
    Examples:
      lastseen guards place warehouse --path path.geojson --guards 3 -o guards.geojson --png guards.png
      lastseen guards place docks.json --guards 4 --view 4 --angle 66 --passive 0.4 -o guards.geojson
      lastseen guards place docks.json --guards 5 --kind walking --kind camera --path-cost 5 -o guards.geojson
      lastseen guards place warehouse --kind 2*walking --kind camera:view=9 --grammar lively --into guarded.geojson
      lastseen guards place docks.json --guards 3 --one-by-one --guard-term flat --raw --least 10 --most 40 -o g.geojson
    """
    from .guard_placement import place

    place(level, given)


@click.command("verify", short_help="Check whether players can still get through unseen.")
@click.argument("level", metavar="LEVEL")
@file("--guards", about="Guards: a file from `guards place`.  [the level's own]")
@_path
@click.option("--start", metavar="X,Y[,Z]", help="Where players start.  [start of the path or of the level]")
@click.option("--goal", metavar="X,Y[,Z]", help="Where players must get to.  [end of the path or goal of the level]")
@count("--runs", about="Independent runs of several trees each, at most 100,000.  [100]")
@seed_option
@_limit
@number("--speed", unit="M/S", about="Top speed of players.  [2.5]")
@number("--step", unit="S", about="Length of a time step.  [0.1]")
@count("--substeps", about="How often guards look per step.  [10]")
@_contact
@number("--within", unit="M", default=1.0, about="How far players may leave the path in its check.  [1]")
@click.option(
    "--solver",
    type=click.Choice(["auto", "rrt", "exact", "both"]),
    help="Random trees alone (rrt), exact search of cells x time, or both; auto: the exact search on small levels.  "
    "[auto]",
)
@_trees
@_nodes
@count("--takedowns", about="Guards a player may take out if there is no other way, at most 3.  [0]")
@click.option("--smooth/--no-smooth", default=None, help="Remove needless detours from solutions.  [smooth]")
@_close
@number("--cell", unit="M", about="Edge of a cell of the exact search and the heat map.  [0.5]")
@number("--radius", unit="M", about="Radius of the player's body.  [0.3; 0 for tile maps]")
@click.option("--pivots/--no-pivots", default=True, help="Whether guards of the level turn on the spot before walking.")
@number("--near", unit="M", default=0.0, about="Distance at which guards of the level have reached a stop.")
@file("--png", about="Write a picture of guards, views, solutions and heat.")
@file("--gif", about="Write an animation of guards and players.")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, solutions and pictures to DIR.")
@picture_options
@json_option
@_level_kind
@up_option
def verify_command(level: str, **given: Any) -> None:
    """Try many times to sneak through LEVEL (a level file or a sample) without entering the view of a guard.

    First the intended path is checked as `guards place` does, and small levels are searched exactly: all cells and
    moments, for the earliest path over cells of size --cell, or the proof that there is none. Then each run grows
    random trees through space and time until one reaches the goal. Without --guards, the level's own guards walk their
    patrols. Ctrl-C keeps the results of the runs finished so far.

    \b
    Examples:
      lastseen guards verify warehouse --guards guards.geojson --path path.geojson --png verified.png
      lastseen guards verify docks.json --start=-11,4 --goal 12,0 --solver both --report report
      lastseen guards verify docks.json --runs 500 --speed 2 --seconds 90 --gif docks.gif --json
    """
    from .guard_verification import verify

    verify(level, given)


@click.command("improve", short_help="Improve guards until they meet targets.")
@click.argument("level", metavar="LEVEL")
@count("--guards", about="Number of guards to place and improve.")
@file("--from", "begin", about="Guards to start from instead: a file from `guards place`.")
@output_option("GeoJSON file to write the guards to.")
@click.option("--success", metavar="LOW..HIGH", help="Target: share of solver runs that get through.")
@number("--closeness", unit="M", about="Target: maximum median distance of solutions from the path.")
@number("--coverage", unit="S", about="Target: minimum share of the floor seen at some time.")
@count("--runs", default=40, about="Solver runs that judge a placement.  [40]")
@count("--rounds", default=20, about="Maximum number of search rounds.  [20]")
@count("--trees", about="Trees each run tries; fewer model less skilled players.  [6]")
@_nodes
@_limit
@_threads
@click.option("--report", metavar="DIR", help="Write report.md, results.json, guards and pictures to DIR.")
@json_option
@scale_option
@storey_option
@_placing
def improve_command(level: str, **given: Any) -> None:
    """Search for guards on LEVEL (a level file or a sample) that meet the targets.

    Each round changes the guards a little. Changes that make the intended path impossible in space and time are
    discarded; the solver runs against the rest, all with the same random numbers, and stops spending runs on those that
    fall behind. Ctrl-C ends the search and writes the best guards so far.

    \b
    Examples:
      lastseen guards improve warehouse --guards 4 --success 0.2..0.6 --coverage 0.4 -o guards.geojson
      lastseen guards improve warehouse --from guards.geojson --closeness 5 --report better -o better.geojson
      lastseen guards improve docks.json --guards 3 --success 0.3..0.7 --trees 2 --nodes 200 -o guards.geojson
    """
    from .guard_improvement import improve

    improve(level, given)


@click.command("experiment", short_help="Repeat the source's experiments and test its findings.")
@click.argument("figure", type=click.Choice(["figure4", "figure5"]))
@click.argument("level", metavar="LEVEL")
@count("--guards", default=3, about="Number of guards in figure4.  [3]")
@click.option(
    "--preset", type=click.Choice(["source"]), help="Use the source's solver settings where no option is given."
)
@click.option("--values", metavar="NUMBERS", help="Comma-separated path costs or numbers of guards.")
@count("--placements", default=40, about="Placements under each condition; 35 are needed for every verdict.  [40]")
@count("--runs", default=20, about="Runs of the solver in each placement.  [20]")
@_trees
@_nodes
@_limit
@_close
@_threads
@click.option("--report", metavar="DIR", help="Write report.md, results.json and a chart to DIR.")
@json_option
@_placing
def experiment_command(figure: str, level: str, **given: Any) -> None:
    """Place guards on LEVEL repeatedly, as Miloslavov does, and run the solver in each placement.

    figure4 raises the cost of the intended path, figure5 the number of guards; everything else stays the same,
    including packings and random numbers. Ctrl-C stops it and keeps the finished placements.

    \b
    Examples:
      lastseen guards experiment figure4 corridor.json --path path.geojson --view 6 --angle 66 --report figure4
      lastseen guards experiment figure4 corridor.json --path path.geojson --preset source --placements 10
      lastseen guards experiment figure5 docks.json --values 1,2,4,8 --placements 20 --report figure5
    """
    from .guard_experiment import experiment

    experiment(figure, level, given)


command = LazyGroup(
    name="guards",
    homes={
        "place": "guards.guards_commands:place_command",
        "verify": "guards.guards_commands:verify_command",
        "improve": "guards.guards_commands:improve_command",
        "experiment": "guards.guards_commands:experiment_command",
    },
    help="Place guards around an intended path, verify and improve them.",
)
