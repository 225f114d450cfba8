"""`lastseen chase LEVEL --seen X,Y --heading DX,DY`: predict where a lost target ran."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app.options import kind_option, scale_option, storey_option, up_option

if TYPE_CHECKING:
    from ....cells.cell_file import Baked
    from .chase_request import Answer

_DEFAULTED = ("predictor",)
"""Options that have a value even when not given."""


class _PresetOption(click.Option):
    """An option whose help lists all presets, looked up only when help is requested."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help text."""
        from ....reasoning.chase.flood.chase_settings import PRESETS

        record = super().get_help_record(ctx)
        return None if record is None else (record[0], record[1].format(presets=", ".join(PRESETS)))


@click.command("chase", short_help="Predict where a lost target ran.")
@click.argument("level", metavar="LEVEL", required=False)
@click.option("--seen", metavar="X,Y[,Z]", help="Where the target was last seen, in metres.")
@click.option(
    "--heading", metavar="DX,DY[,DZ]", help="Direction it was moving in; 0,0 or omitted: unknown, no barrier."
)
@click.option("--preset", cls=_PresetOption, metavar="NAME", help="Named settings: {presets}.  [article]")
@click.option("--hot", type=int, metavar="H", help="Heat of a newly reached cell, 1 to 127.  [20]")
@click.option("--max-heated", type=int, metavar="N", help="Stop when one step heats more cells than this.  [25]")
@click.option("--max-steps", type=int, metavar="N", help="Maximum number of flood steps.  [30]")
@click.option(
    "--behind",
    type=click.Choice(["strict", "inclusive"]),
    help="Whether cells exactly abeam count as behind (inclusive).  [strict]",
)
@click.option(
    "--predictor",
    default="flood",
    metavar="NAME",
    help="flood, or for comparison dead-reckoning, last-position, particle-filter or stand-still.  [flood]",
)
@click.option("--guard", metavar="X,Y[,Z]", help="Where the guard stood when it lost the target.")
@click.option("--guard-looks", metavar="DX,DY", help="Direction it was looking in.  [all round]")
@click.option("--speed", type=float, metavar="M/S", help="Speed of the target.  [4]")
@click.option("--seconds", type=float, metavar="S", help="Time since it was last seen.  [0]")
@click.option(
    "--worth",
    metavar="KIND[=W],…",
    help="What attracts the target: exits, hiding, cover, each with an optional weight, or all.  [nothing]",
)
@click.option(
    "--shut-door",
    multiple=True,
    metavar="DOOR",
    help="Door that is shut, by name or by number (from 0); may be repeated.  [none]",
)
@click.option("--cell", type=float, metavar="M", help="Edge of a cell in metres, if LEVEL has to be baked.")
@click.option("--radius", type=float, metavar="M", help="Radius of the body in metres, if LEVEL has to be baked.")
@click.option("--png", metavar="FILE", help="Write a picture of the flood and the prediction.")
@click.option("--gif", metavar="FILE", help="Write an animation of the flood, step by step.")
@scale_option
@storey_option
@click.option("--figures", metavar="DIR", help="Draw the article's figures into DIR; takes no LEVEL.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@kind_option
@up_option
def command(level: str | None, figures: str | None, kind: str, up: str, as_json: bool, **given: Any) -> None:
    """Predict where to run after losing a target in LEVEL (a level file, a sample or a baked cell file).

    Heat floods the cells ahead of where the target was last seen; a barrier keeps it from flowing back. The predicted
    destination is the middle of the heat.

    \b
    lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --png chase.png
    lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --gif chase.gif --max-steps 20
    lastseen chase house.cells --seen 6,3,0 --heading 0,1 --preset belief --guard 2,3 --json
    lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --worth exits=3,hiding
    lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --predictor dead-reckoning
    lastseen chase --figures pictures
    """
    if figures is not None:
        _draw_figures(figures, level, {**given, "shut_door": given["shut_door"] or None, "json": as_json or None})
        return
    path = _require(level, given)
    from ..app.console import Stages

    outputs = _outputs(given, path)
    with Stages(quiet=as_json) as stages:
        from ..app.level_inputs import load_or_bake

        baked = load_or_bake(path, kind, up, given["cell"], given["radius"], stages)
        is_article = given["preset"] in (None, "article") and given["predictor"] == "flood"
        from .chase_answer import as_object, as_words
        from .chase_request import answer

        with stages.interpreted("chase" if is_article else "belief"):
            found = stages.run("chase", answer, baked, given, path, watch="gif" in outputs)
            for name, output in outputs.items():
                from ....files import atomic_write

                picture = stages.run("picture", _draw, name, baked, found, path, given)
                stages.run("write", atomic_write, output, picture)
            said = as_object(baked.layout, found, path) if as_json else as_words(baked.layout, found)
    if isinstance(said, dict):
        click.echo(json.dumps(said | stages.timing(), indent=2, allow_nan=False))
        return
    click.echo(said)
    for name in outputs:
        click.echo(f"wrote {given[name]}")


def _require(level: str | None, given: dict[str, Any]) -> str:
    if level is None:
        raise click.UsageError(
            "LEVEL is missing; give a file or a sample, such as: lastseen chase warehouse --seen 9.5,8.5"
        )
    if given["seen"] is None:
        raise click.UsageError("--seen is missing; give x,y in metres, where the target was last seen")
    return level


def _outputs(given: dict[str, Any], level: str) -> dict[str, Path]:
    """Return the pictures to write, by kind."""
    from ..app.outputs import check_picture

    outputs = {kind: check_picture(given[kind], level, kind=kind) for kind in ("png", "gif") if given[kind] is not None}
    if len(outputs) == 2 and outputs["png"].absolute() == outputs["gif"].absolute():
        raise click.UsageError("--png and --gif name the same file; give two different files")
    if given["scale"] is not None and "png" not in outputs:
        raise click.UsageError("--scale needs a picture to scale; give --png FILE too")
    if given["storey"] is not None and not outputs:
        raise click.UsageError("--storey needs a picture to show it; give --png or --gif FILE too")
    return outputs


def _draw(name: str, baked: Baked, found: Answer, level: str, given: dict[str, Any]) -> bytes:
    from ....level.level import TriangleSoup
    from ...figures.moment.chase_figure import ChaseScene, draw_chase
    from ..app.level_source import source_name

    soup = baked.level is not None and isinstance(baked.level.surface, TriangleSoup)
    scene = ChaseScene(
        baked.layout,
        found.prediction,
        found.loss.seen_at,
        found.loss.heading,
        level=None if soup else baked.level,
        hot=found.settings.hot,
        guard_at=found.loss.guard_at,
        guard_looks=None if found.loss.guard_view is None else found.loss.guard_view.heading,
        rivals={} if found.unweighted is None else {"without worth": found.unweighted},
    )
    title = baked.layout.mesh.name or source_name(level)
    if name == "png":
        return draw_chase(scene, scale=given["scale"], storey=given["storey"], title=title)
    from ...figures.moment.chase_gif import draw_chase_gif

    return draw_chase_gif(scene, found.floods, storey=given["storey"], title=title)


def _draw_figures(folder: str, level: str | None, given: dict[str, Any]) -> None:
    from ....files import atomic_write
    from ..app.outputs import check_folder

    asked = [name for name, value in given.items() if value is not None and name not in _DEFAULTED]
    if level is not None or asked:
        words = ", ".join([*(["LEVEL"] if level else []), *(f"--{name.replace('_', '-')}" for name in asked)])
        raise click.UsageError(f"--figures draws its own levels; leave out {words}")
    path = check_folder(folder, "figures")
    from ...figures.research.article import FIGURES

    path.mkdir(exist_ok=True)
    for name, draw in FIGURES.items():
        atomic_write(path / f"{name}.png", draw())
        click.echo(f"wrote {path / name}.png")
