"""`lastseen play --picture`: draw a chase in which the player is lost at a corner on the way to the exit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ...cells.layout import CellLayout
    from ...level.level import Level

__all__ = ["draw_play"]


def draw_play(level: str, output: str) -> None:
    """Bake a level, lose a target in it and draw where to run; suggest what to try next."""
    from ...files import atomic_write
    from .baking import BakeSettings, bake_level
    from .console import Stages
    from .outputs import check_picture
    from .source import read_source, source_name

    path = check_picture(output, level)
    with Stages(quiet=False) as stages:
        drawn = stages.run("read", read_source, level)
        layout = bake_level(drawn, BakeSettings().settled(drawn), stages, level)
        title = drawn.name or source_name(level)
        picture, words = stages.run("chase", _chase, layout, drawn, title)
        stages.run("write", atomic_write, path, picture)
    click.echo(f"{title}: {len(layout):,} cells in {sum(stages.seconds.values()):.1f} s")
    click.echo(words)
    click.echo(f"wrote {output}: open it to see where a guard should run now")
    click.echo("next: lastseen chase --help (your own), lastseen level list (more levels), lastseen --help")


def _chase(layout: CellLayout, level: Level, title: str) -> tuple[bytes, str]:
    """Return a picture of a chase and a line about it."""
    from ...level.level import TriangleSoup
    from ...reasoning.chase.flood.chase import Chase
    from ..figures.chase_figure import ChaseScene, draw_chase
    from .likely_loss import likely_loss

    chase = Chase(layout)
    loss = likely_loss(layout, level)
    flood = chase.predict(loss)
    shown = None if isinstance(level.surface, TriangleSoup) else level
    scene = ChaseScene(layout, flood, loss.seen_at, loss.heading, level=shown, hot=chase.settings.hot)
    (x, y), (to_x, to_y) = loss.seen_at[:2].tolist(), flood.destination[:2].tolist()
    words = (
        f"last seen at ({x:.1f}, {y:.1f}): run to ({to_x:.1f}, {to_y:.1f}), {flood.reason} after {flood.steps} steps"
    )
    return draw_chase(scene, title=title), words
