"""`lastseen guards improve LEVEL --guards N --success 0.2..0.6 -o FILE`: guards that come to what is wanted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .guards_options import placing_options
from .main import INTERRUPTED
from .options import output_option, scale_option, storey_option

if TYPE_CHECKING:
    from ...reasoning.placement.improvement import Improvement
    from .improve_request import ImproveRequest

__all__ = ["command"]


@click.command("improve", short_help="Guards that come to what is wanted.")
@click.argument("level", metavar="LEVEL")
@click.option("--guards", type=int, metavar="N", help="How many guards to place and improve.")
@click.option("--from", "begin", metavar="FILE", help="Guards to begin with, instead: what `guards place` wrote.")
@output_option("Where to write the guards, GeoJSON.")
@click.option("--success", metavar="LOW..HIGH", help="Wanted: share of the solver's runs that come through.")
@click.option("--closeness", type=float, metavar="M", help="Wanted: the median way at most so far from the path.")
@click.option("--coverage", type=float, metavar="S", help="Wanted: share of the floor seen at some time, at least.")
@click.option("--runs", type=int, default=40, metavar="N", help="Runs of the solver that judge guards.  [40]")
@click.option("--rounds", type=int, default=20, metavar="N", help="Rounds of the search, at most.  [20]")
@click.option("--trees", type=int, metavar="N", help="Trees a run tries: fewer, and players are less skilled.  [24]")
@click.option("--nodes", type=int, metavar="N", help="Samples drawn for each tree.  [500]")
@click.option("--seconds", type=float, metavar="S", help="Time players have.  [60, or 4 times the path's]")
@click.option("--jobs", type=int, metavar="N", help="Threads; the result does not depend on it.  [all cores]")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, guards and pictures there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of words.")
@scale_option
@storey_option
@placing_options
def command(level: str, output: str, report: str | None, as_json: bool, level_kind: str, up: str, **given: Any) -> None:
    """Search for guards on LEVEL (a level file or a sample) that come to what is wanted of them.

    Guards are changed a little, again and again; those that make the intended path impossible, in space and time, are
    left out, and the solver runs among the others, all with the same random numbers. Those that fall behind get no
    more runs. Ctrl-C ends the search, and the best so far is written.

    \b
    lastseen guards improve warehouse --guards 4 --success 0.2..0.6 --coverage 0.4 -o guards.geojson
    lastseen guards improve warehouse --from guards.geojson --closeness 5 --report better -o better.geojson
    lastseen guards improve docks.json --guards 3 --success 0.3..0.7 --trees 2 --nodes 200 -o guards.geojson
    """
    from .console import Stages
    from .outputs import check_folder, check_output

    inputs = [level, *(given[name] for name in ("path", "begin") if given[name] is not None)]
    target = check_output(output, *inputs)
    folder = None if report is None else check_folder(report, "a report")
    if report is None and (given["scale"] is not None or given["storey"] is not None):
        raise click.UsageError("--scale and --storey are about pictures, but there is none; give --report DIR too")
    from .improve_request import read_improve_request

    with Stages(quiet=as_json) as stages:
        request: ImproveRequest = stages.run("read", read_improve_request, level, level_kind, up, given)
        stages.prepare("placement")
        from ...reasoning.placement.route_files import write_guards
        from .time_left import TimeLeft

        found: Improvement = stages.run("improve", request.improve, TimeLeft(stages.progress))
        stages.run("write", write_guards, found.after, target)
        written: tuple[Path, ...] = ()
        if folder is not None:
            from .improve_report import write_improve_report

            written = stages.run("report", write_improve_report, folder, request, found, given)
    _tell(request, found, as_json)
    if not as_json:
        click.echo(f"wrote {output}")
        if written:
            click.echo(f"wrote {len(written)} files to {report}; begin with {Path(str(report)) / 'report.md'}")
    if found.stopped:
        click.get_current_context().exit(INTERRUPTED)


def _tell(request: ImproveRequest, found: Improvement, as_json: bool) -> None:
    from .improve_words import as_object, as_words

    if as_json:
        click.echo(json.dumps(as_object(request, found), indent=2, allow_nan=False))
        return
    click.echo(as_words(request, found))
