"""`lastseen guards verify LEVEL --guards FILE`: can the level still be sneaked through, and how?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .main import INTERRUPTED
from .options import scale_option, storey_option, up_option

if TYPE_CHECKING:
    from .verify_request import VerifyRequest

__all__ = ["command"]

_SOLVERS = ("rrt", "exact", "both")


@click.command("verify", short_help="Can players still come through unseen?")
@click.argument("level", metavar="LEVEL")
@click.option("--guards", metavar="FILE", help="Guards: what `guards place` wrote.  [those of the level]")
@click.option("--path", metavar="FILE", help="Intended path: GeoJSON with one LineString.  [that of the level]")
@click.option("--start", metavar="X,Y[,Z]", help="Where players begin.  [where the path does, or the level says]")
@click.option("--goal", metavar="X,Y[,Z]", help="Where they want to get.  [where the path ends, or the level says]")
@click.option("--runs", type=int, metavar="N", help="Independent tries of many trees each, at most 100,000.  [100]")
@click.option("--seed", type=int, default=0, metavar="N", help="The same seed tries the same ways.  [0]")
@click.option("--seconds", type=float, metavar="S", help="Time players have.  [60]")
@click.option("--speed", type=float, metavar="M/S", help="Top speed of players.  [2.5]")
@click.option("--step", type=float, metavar="S", help="Length of a step of time.  [0.1]")
@click.option("--substeps", type=int, metavar="N", help="Looks of the guards a step.  [1]")
@click.option("--solver", type=click.Choice(_SOLVERS), help="Random trees, all of cells x time, or both.  [rrt]")
@click.option("--trees", type=int, metavar="N", help="Trees a run tries, one after another.  [24]")
@click.option("--nodes", type=int, metavar="N", help="Samples drawn for each tree.  [500]")
@click.option("--smooth/--no-smooth", default=None, help="Take needless detours out of ways found.  [smooth]")
@click.option("--close", type=float, metavar="M", help="Ways within this of the path count as close.  [3]")
@click.option("--cell", type=float, metavar="M", help="Edge of a cell, of the exact search and the heat.  [0.5]")
@click.option("--radius", type=float, metavar="M", help="Radius of the player's body.  [0.3; 0 for tile maps]")
@click.option("--pivots/--no-pivots", default=True, help="Guards of the level turn on the spot before they walk.")
@click.option(
    "--near", type=float, default=0.0, metavar="M", help="How near a stop guards of the level count as there."
)
@click.option("--png", metavar="FILE", help="Write a picture: guards, views, ways, heat.")
@click.option("--gif", metavar="FILE", help="Write a moving picture of guards and players.")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, solutions and pictures there.")
@scale_option
@storey_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of words.")
@click.option(
    "--level-kind", default="auto", metavar="KIND", help="Format of LEVEL; found from its content if not given."
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
    """Sneak through LEVEL (a level file or a sample) many times, never in the view of a guard.

    A run grows random trees through space and time until one reaches the goal. The exact search goes through all cells
    and moments: it finds the earliest way over cells of the size --cell, or that there is none. Without --guards, the
    guards the level comes with are on their patrols. Ctrl-C keeps what the runs done so far found.

    \b
    lastseen guards verify warehouse --guards guards.geojson --path way.geojson --png verified.png
    lastseen guards verify docks.json --start=-11,4 --goal 12,0 --solver both --report report
    lastseen guards verify docks.json --runs 500 --speed 2 --seconds 90 --gif docks.gif --json
    """
    from .console import Stages
    from .outputs import check_folder, check_picture

    inputs = [level, *(given[name] for name in ("guards", "path") if given[name] is not None)]
    wanted = {name: file for name, file in (("png", png), ("gif", gif)) if file is not None}
    files = {name: check_picture(file, *inputs, kind=name) for name, file in wanted.items()}
    folder = None if report is None else check_folder(report, "a report")
    if not (png or gif or report) and (given["scale"] is not None or given["storey"] is not None):
        raise click.UsageError(
            "--scale and --storey are about pictures, but there is none; give --png, --gif or --report"
        )
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
        from ...files import atomic_write

        for path, data in drawn.items():
            stages.run("write", atomic_write, path, data)
    from .verify_words import as_object, as_words

    if as_json:
        click.echo(json.dumps(as_object(request, found), indent=2, allow_nan=False))
    else:
        click.echo(as_words(request, found))
        for name in wanted.values():
            click.echo(f"wrote {name}")
        if report is not None:
            click.echo(f"wrote {len(written)} files to {report}; begin with {Path(report) / 'report.md'}")
    if found.stopped:
        click.get_current_context().exit(INTERRUPTED)


def _png(request: VerifyRequest, found: Any, given: dict[str, Any], progress: Any) -> bytes:  # noqa: ARG001
    from ..figures.verification_figure import VerificationScene, draw_verification

    scene = VerificationScene(found, request.placement.routes, request.title)
    return draw_verification(scene, scale=given["scale"], storey=given["storey"])


def _gif(request: VerifyRequest, found: Any, given: dict[str, Any], progress: Any) -> bytes:
    from ..figures.verification_figure import VerificationScene
    from ..figures.verification_gif import draw_verification_gif

    scene = VerificationScene(found, request.placement.routes, request.title)
    return draw_verification_gif(scene, scale=given["scale"], storey=given["storey"], progress=progress)
