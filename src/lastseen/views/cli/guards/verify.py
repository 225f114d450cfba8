"""`lastseen guards verify LEVEL --guards FILE`: check whether players can still sneak through a level."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app.main import INTERRUPTED
from ..app.options import scale_option, storey_option, up_option

if TYPE_CHECKING:
    from .verify_request import VerifyRequest

_SOLVERS = ("rrt", "exact", "both")


@click.command("verify", short_help="Check whether players can still get through unseen.")
@click.argument("level", metavar="LEVEL")
@click.option("--guards", metavar="FILE", help="Guards: a file from `guards place`.  [the level's own]")
@click.option("--path", metavar="FILE", help="Intended path: GeoJSON with one LineString.  [the level's own]")
@click.option("--start", metavar="X,Y[,Z]", help="Where players start.  [start of the path or of the level]")
@click.option("--goal", metavar="X,Y[,Z]", help="Where players must get to.  [end of the path or goal of the level]")
@click.option("--runs", type=int, metavar="N", help="Independent runs of several trees each, at most 100,000.  [100]")
@click.option("--seed", type=int, default=0, metavar="N", help="Random seed; the same seed gives the same result.  [0]")
@click.option("--seconds", type=float, metavar="S", help="Time limit for players.  [60]")
@click.option("--speed", type=float, metavar="M/S", help="Top speed of players.  [2.5]")
@click.option("--step", type=float, metavar="S", help="Length of a time step.  [0.1]")
@click.option("--substeps", type=int, metavar="N", help="How often guards look per step.  [1]")
@click.option(
    "--solver", type=click.Choice(_SOLVERS), help="Random trees, exact search of cells x time, or both.  [rrt]"
)
@click.option("--trees", type=int, metavar="N", help="Trees each run tries in turn.  [24]")
@click.option("--nodes", type=int, metavar="N", help="Samples drawn for each tree.  [500]")
@click.option("--smooth/--no-smooth", default=None, help="Remove needless detours from solutions.  [smooth]")
@click.option(
    "--close", type=float, metavar="M", help="Solutions within this distance of the path count as close.  [3]"
)
@click.option("--cell", type=float, metavar="M", help="Edge of a cell of the exact search and the heat map.  [0.5]")
@click.option("--radius", type=float, metavar="M", help="Radius of the player's body.  [0.3; 0 for tile maps]")
@click.option("--pivots/--no-pivots", default=True, help="Whether guards of the level turn on the spot before walking.")
@click.option(
    "--near", type=float, default=0.0, metavar="M", help="Distance at which guards of the level have reached a stop."
)
@click.option("--png", metavar="FILE", help="Write a picture of guards, views, solutions and heat.")
@click.option("--gif", metavar="FILE", help="Write an animation of guards and players.")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, solutions and pictures to DIR.")
@scale_option
@storey_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option(
    "--level-kind", default="auto", metavar="KIND", help="Format of LEVEL; detected from its content if not given."
)
@up_option
def command(
    level: str,
    png: str | None,
    gif: str | None,
    report: str | None,
    as_json: bool,
    level_kind: str,
    up: str,
    **given: Any,
) -> None:
    """Try many times to sneak through LEVEL (a level file or a sample) without entering the view of a guard.

    A run grows random trees through space and time until one reaches the goal. The exact search covers all cells and
    moments: it finds the earliest path over cells of size --cell, or proves that there is none. Without --guards, the
    level's own guards walk their patrols. Ctrl-C keeps the results of the runs finished so far.

    \b
    lastseen guards verify warehouse --guards guards.geojson --path way.geojson --png verified.png
    lastseen guards verify docks.json --start=-11,4 --goal 12,0 --solver both --report report
    lastseen guards verify docks.json --runs 500 --speed 2 --seconds 90 --gif docks.gif --json
    """
    from ..app.console import Stages
    from ..app.outputs import check_folder, check_picture

    inputs = [level, *(given[name] for name in ("guards", "path") if given[name] is not None)]
    wanted = {name: file for name, file in (("png", png), ("gif", gif)) if file is not None}
    files = {name: check_picture(file, *inputs, kind=name) for name, file in wanted.items()}
    folder = None if report is None else check_folder(report, "a report")
    if not (png or gif or report) and (given["scale"] is not None or given["storey"] is not None):
        raise click.UsageError("--scale and --storey need pictures to apply to; give --png, --gif or --report")
    from .verify_request import read_request

    with Stages(quiet=as_json) as stages:
        request: VerifyRequest = stages.run("read", read_request, level, level_kind, up, given)
        stages.prepare("placement")
        found = stages.run("verify", request.verify, stages.progress)
        drawn = {
            path: stages.run("picture", _gif if name == "gif" else _png, request, found, given, stages.progress)
            for name, path in files.items()
        }
        if folder is not None:
            from .verify_report import write_report

            written = stages.run("report", write_report, folder, request, found, given)
        from ....files import atomic_write

        for path, data in drawn.items():
            stages.run("write", atomic_write, path, data)
    from .verify_report import as_object, as_words

    if as_json:
        click.echo(json.dumps(as_object(request, found), indent=2, allow_nan=False))
    else:
        click.echo(as_words(request, found))
        for name in wanted.values():
            click.echo(f"wrote {name}")
        if report is not None:
            click.echo(f"wrote {len(written)} files to {report}; start with {Path(report) / 'report.md'}")
    if found.stopped:
        click.get_current_context().exit(INTERRUPTED)


def _png(request: VerifyRequest, found: Any, given: dict[str, Any], progress: Any) -> bytes:  # noqa: ARG001
    from ...figures.level.verification_figure import VerificationScene, draw_verification

    scene = VerificationScene(found, request.placement.routes, request.title)
    return draw_verification(scene, scale=given["scale"], storey=given["storey"])


def _gif(request: VerifyRequest, found: Any, given: dict[str, Any], progress: Any) -> bytes:
    from ...figures.level.verification_figure import VerificationScene
    from ...figures.level.verification_gif import draw_verification_gif

    scene = VerificationScene(found, request.placement.routes, request.title)
    return draw_verification_gif(scene, scale=given["scale"], storey=given["storey"], progress=progress)
