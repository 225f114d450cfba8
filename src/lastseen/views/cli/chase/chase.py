"""`lastseen chase LEVEL --seen X,Y --heading DX,DY`: predict where a lost target ran."""

from __future__ import annotations

from typing import Any

import click

from ..app.options import bake_again_options, count, file, json_option, level_options, number, picture_options


class _PresetOption(click.Option):
    """An option whose help lists all presets, looked up only when help is requested."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help text."""
        from ....reasoning.chase.flood.chase_settings import FAITHFUL, PRESETS

        option, text = super().get_help_record(ctx) or ("", "")
        return option, text.format(presets=", ".join(PRESETS), default=FAITHFUL)


@click.command("chase", short_help="Predict where a lost target ran.")
@click.argument("level", metavar="LEVEL", required=False)
@click.option("--seen", metavar="X,Y[,Z]", help="Where the target was last seen, in metres.")
@click.option(
    "--heading", metavar="DX,DY[,DZ]", help="Direction it was moving in; 0,0 or omitted: unknown, no barrier."
)
@click.option("--preset", cls=_PresetOption, metavar="NAME", help="Named settings: {presets}.  [{default}]")
@count("--hot", about="Heat of a newly reached cell, 1 to 127.  [20]")
@count("--max-heated", about="Stop when one step heats more cells than this.  [25]")
@count("--max-steps", about="Maximum number of flood steps.  [30]")
@click.option(
    "--behind",
    type=click.Choice(["strict", "inclusive"]),
    help="Whether cells exactly abeam count as behind (inclusive).  [strict]",
)
@click.option(
    "--predictor",
    default="flood",
    metavar="NAME",
    help="flood, or a baseline for comparison; an unknown name lists them all.  [flood]",
)
@click.option("--guard", metavar="X,Y[,Z]", help="Where the guard stood when it lost the target.")
@click.option("--guard-looks", metavar="DX,DY", help="Direction it was looking in.  [all round]")
@number("--speed", unit="M/S", about="Speed of the target.  [4]")
@number("--seconds", unit="S", about="Time since it was last seen.  [0]")
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
@bake_again_options
@file("--png", about="Write a picture of the flood and the prediction.")
@file("--gif", about="Write an animation of the flood, step by step.")
@picture_options
@click.option("--figures", metavar="DIR", help="Draw the article's figures into DIR; takes no LEVEL.")
@json_option
@level_options
def command(level: str | None, figures: str | None, as_json: bool, **given: Any) -> None:
    """Predict where to run after losing a target in LEVEL (a level file, a sample or a baked cell file).

    Heat floods the cells ahead of where the target was last seen; a barrier keeps it from flowing back. The predicted
    destination is the middle of the heat.

    \b
    Examples:
      lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --png chase.png
      lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --gif chase.gif --max-steps 20
      lastseen chase house.cells --seen 6,3,0 --heading 0,1 --preset belief --guard 2,3 --json
      lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --worth exits=3,hiding
      lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --predictor dead-reckoning
      lastseen chase --figures pictures
    """
    if figures is not None:
        from .chase_prediction import draw_figures

        draw_figures(figures, level, {**given, "json": as_json or None})
        return
    if level is None:
        raise click.UsageError(
            "LEVEL is missing; give a file or a sample, such as: lastseen chase warehouse --seen 9.5,8.5"
        )
    if given["seen"] is None:
        raise click.UsageError("--seen is missing; give x,y in metres, where the target was last seen")
    from .chase_prediction import chase

    chase(level, {**given, "as_json": as_json})
