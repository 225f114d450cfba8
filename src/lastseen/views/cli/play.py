"""`lastseen play`: bake a level, draw it, say what to try next."""

from __future__ import annotations

from pathlib import Path

import click

from .options import output_option

__all__ = ["command"]


@click.command("play", short_help="Bake a level and draw it.")
@click.argument("level", metavar="[LEVEL]", default="warehouse")
@output_option("The picture to write.  [out/LEVEL.png]", required=False)
def command(level: str, output: str | None) -> None:
    """Bake LEVEL (a file or the name of a sample; the warehouse if not given) and draw it.

    The picture shows how far it is to walk from where the player starts, with every door open.
    """
    from dataclasses import replace

    import numpy as np

    from ...files import atomic_write
    from .baking import BakeSettings, bake_level
    from .console import Stages
    from .outputs import check_picture
    from .source import read_source, source_name

    if output is None:
        Path("out").mkdir(exist_ok=True)
        output = str(Path("out") / f"{source_name(level)}.png")
    path = check_picture(output, level)
    with Stages(quiet=False) as stages:
        drawn = stages.run("read", read_source, level)
        layout = bake_level(drawn, BakeSettings().settled(drawn), stages, level)
        from ..figures.layout_figure import Shown, draw_layout
        from .heats import distance_heat

        start = next((spawn.xyz for spawn in drawn.spawns if spawn.who != "guard"), None)
        # The player's own sign marks where the distances start.
        heat = None if start is None else replace(distance_heat(layout, [start], drawn), sources_xyz=np.zeros((0, 3)))
        shown = Shown(cells=True)
        title = drawn.name or source_name(level)
        picture = stages.run("picture", draw_layout, layout, level=drawn, heat=heat, shown=shown, title=title)
        stages.run("write", atomic_write, path, picture)
    seconds = sum(stages.seconds.values())
    click.echo(f"{title}: {len(layout):,} cells in {seconds:.1f} s")
    click.echo(f"wrote {output}: open it to see the level and how far it is to walk from the player's start")
    click.echo("next: lastseen level list (more levels), lastseen level check FILE (your own), lastseen --help")
