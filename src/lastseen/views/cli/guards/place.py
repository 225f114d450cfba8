"""`lastseen guards place LEVEL --path FILE --guards N -o FILE`: place guards around an intended path."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..app.options import output_option, scale_option, storey_option
from .guards_commands import placing_options

if TYPE_CHECKING:
    from ....reasoning.placement.guard_routes import Placement
    from ....reasoning.placement.place.place import GuardPlanner


@click.command("place", short_help="Place guards around an intended path.")
@click.argument("level", metavar="LEVEL")
@click.option("--guards", type=int, required=True, metavar="N", help="Number of guards, 1 to 500.")
@output_option("GeoJSON file to write the guards to.")
@placing_options
@click.option(
    "--checked/--unchecked",
    default=True,
    help="Redraw until the path can be walked unseen, in space and time; fail if it never can.  [checked]",
)
@click.option("--png", metavar="FILE", help="Write a picture of circles, links, routes, views and the path.")
@scale_option
@storey_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def command(level: str, output: str, png: str | None, as_json: bool, level_kind: str, up: str, **given: Any) -> None:
    """Place guards on LEVEL (a level file or a sample) that leave the intended path possible and alternatives open.

    The floor is packed with circles as large as guards can watch; guards walk closed routes between circles that see
    each other. Links near the path cost more, and a route may cost at most --most. Costs are in units of the level's
    size (the square root of its area) unless --raw is given.

    \b
    lastseen guards place warehouse --path way.geojson --guards 3 -o guards.geojson --png guards.png
    lastseen guards place docks.json --guards 4 --view 4 --angle 66 --passive 0.4 -o guards.geojson
    lastseen guards place docks.json --guards 5 --kind walking --kind camera --path-cost 5 -o guards.geojson
    lastseen guards place docks.json --guards 3 --one-by-one --guard-term flat --raw --least 10 --most 40 -o g.geojson
    """
    from ..app.console import Stages
    from ..app.outputs import check_output, check_picture

    inputs = [level, *([given["path"]] if given["path"] is not None else [])]
    target = check_output(output, *inputs)
    if png is None and (given["scale"] is not None or given["storey"] is not None):
        raise click.UsageError("--scale and --storey need a picture to apply to; give --png FILE too")
    picture = None if png is None else check_picture(png, *inputs)
    if picture is not None and picture.absolute() == target.absolute():
        raise click.UsageError("--png and -o name the same file; give two different files")
    from .place_request import read_request

    with Stages(quiet=as_json) as stages:
        request = stages.run("read", read_request, level, level_kind, up, given)
        stages.prepare("placement")
        from ....reasoning.placement.files.route_files import write_guards

        planner: GuardPlanner = stages.run("pack", request.planner, stages.progress)
        placement, passes = stages.run("place", request.place, planner, stages.progress)
        drawn = b"" if picture is None else stages.run("picture", _draw, planner, placement, level, given)
        stages.run("write", write_guards, placement, target)
        if picture is not None:
            from ....files import atomic_write

            atomic_write(picture, drawn)
    from .place_request import as_object, as_words

    if as_json:
        click.echo(json.dumps(as_object(planner, placement, level, output, passes), indent=2, allow_nan=False))
        return
    click.echo(as_words(planner, placement, level, passes))
    for name in (output, png):
        if name is not None:
            click.echo(f"wrote {name}")


def _draw(planner: GuardPlanner, placement: Placement, level: str, given: dict[str, Any]) -> bytes:
    from ...figures.level.placement_figure import PlacementScene, draw_placement
    from ..app.level_source import source_name

    scene = PlacementScene(planner.ground.level, placement, planner.ground.path, planner.ground.sight, planner.graph)
    title = planner.ground.level.name or source_name(level)
    return draw_placement(scene, scale=given["scale"], storey=given["storey"], title=title)
