"""`lastseen guards improve LEVEL --guards N --success 0.2..0.6 -o FILE`: improve guards until they meet targets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app.main import INTERRUPTED
from ..app.options import output_option, scale_option, storey_option
from .guards_commands import placing_options

if TYPE_CHECKING:
    from ....reasoning.placement.improve.improve import Improvement
    from .improve_request import ImproveRequest


@click.command("improve", short_help="Improve guards until they meet targets.")
@click.argument("level", metavar="LEVEL")
@click.option("--guards", type=int, metavar="N", help="Number of guards to place and improve.")
@click.option("--from", "begin", metavar="FILE", help="Guards to start from instead: a file from `guards place`.")
@output_option("GeoJSON file to write the guards to.")
@click.option("--success", metavar="LOW..HIGH", help="Target: share of solver runs that get through.")
@click.option(
    "--closeness", type=float, metavar="M", help="Target: maximum median distance of solutions from the path."
)
@click.option("--coverage", type=float, metavar="S", help="Target: minimum share of the floor seen at some time.")
@click.option("--runs", type=int, default=40, metavar="N", help="Solver runs that judge a placement.  [40]")
@click.option("--rounds", type=int, default=20, metavar="N", help="Maximum number of search rounds.  [20]")
@click.option("--trees", type=int, metavar="N", help="Trees each run tries; fewer model less skilled players.  [24]")
@click.option("--nodes", type=int, metavar="N", help="Samples drawn for each tree.  [500]")
@click.option(
    "--seconds", type=float, metavar="S", help="Time limit for players.  [60, or 4 times the path's duration]"
)
@click.option("--jobs", type=int, metavar="N", help="Number of threads; does not change the result.  [all cores]")
@click.option("--report", metavar="DIR", help="Write report.md, results.json, guards and pictures to DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@scale_option
@storey_option
@placing_options
def command(level: str, output: str, report: str | None, as_json: bool, level_kind: str, up: str, **given: Any) -> None:
    """Search for guards on LEVEL (a level file or a sample) that meet the targets.

    Each round changes the guards a little. Changes that make the intended path impossible in space and time are
    discarded; the solver runs against the rest, all with the same random numbers, and stops spending runs on those that
    fall behind. Ctrl-C ends the search and writes the best guards so far.

    \b
    lastseen guards improve warehouse --guards 4 --success 0.2..0.6 --coverage 0.4 -o guards.geojson
    lastseen guards improve warehouse --from guards.geojson --closeness 5 --report better -o better.geojson
    lastseen guards improve docks.json --guards 3 --success 0.3..0.7 --trees 2 --nodes 200 -o guards.geojson
    """
    from ..app.console import Stages
    from ..app.outputs import check_folder, check_output

    inputs = [level, *(given[name] for name in ("path", "begin") if given[name] is not None)]
    target = check_output(output, *inputs)
    folder = None if report is None else check_folder(report, "a report")
    if report is None and (given["scale"] is not None or given["storey"] is not None):
        raise click.UsageError("--scale and --storey need pictures to apply to; give --report DIR too")
    from .improve_request import read_improve_request

    with Stages(quiet=as_json) as stages:
        request: ImproveRequest = stages.run("read", read_improve_request, level, level_kind, up, given)
        stages.prepare("placement")
        from ....reasoning.placement.files.route_files import write_guards
        from ..app.console import TimeLeft

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
            click.echo(f"wrote {len(written)} files to {report}; start with {Path(str(report)) / 'report.md'}")
    if found.stopped:
        click.get_current_context().exit(INTERRUPTED)


def _tell(request: ImproveRequest, found: Improvement, as_json: bool) -> None:
    from .improve_report import as_object, as_words

    if as_json:
        click.echo(json.dumps(as_object(request, found), indent=2, allow_nan=False))
        return
    click.echo(as_words(request, found))
