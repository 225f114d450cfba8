"""`lastseen play`: sneak through a level in the browser, or watch a scenario or a recording."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..studio.folder import Folder
    from ..studio.stage import Stage

__all__ = ["command"]

PORT = 8765


@click.command("play", short_help="Sneak through a level in the browser; see why guards do what they do.")
@click.argument("what", metavar="[LEVEL | SCENARIO | RECORDING]", default="warehouse")
@click.option("--difficulty", metavar="NAME", help="easy, normal or hard.  [normal]")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, help=f"Where to serve; if taken, a free one.  [{PORT}]"
)
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Whom to serve.  [127.0.0.1: this machine only]")
@click.option("--no-open", is_flag=True, help="Do not open the browser, only print the address.")
@click.option("--keep-running", is_flag=True, help="Let time pass while no page is open; otherwise it waits for one.")
@click.option("--picture", metavar="FILE", help="Draw a chase in the level into a PNG instead; no browser, no server.")
def command(
    what: str, difficulty: str | None, port: int, host: str, no_open: bool, keep_running: bool, picture: str | None
) -> None:
    """Open the studio: play LEVEL (a file or the name of a sample; the warehouse if not given), or watch SCENARIO or
    RECORDING. Files beside it can be opened from the page, and runs are saved there.

    \b
    lastseen play
    lastseen play house --difficulty hard
    lastseen play run.rec
    lastseen play warehouse --picture warehouse.png
    """
    if picture is not None:
        from .play_picture import draw_play

        draw_play(what, picture)
        return
    from .console import Stages

    with Stages(quiet=False) as stages:
        stages.watch_compiler()
        folder, stage = stages.run("open", _opened, what, difficulty)
    from ..studio.serve import serve

    serve(stage, folder, host=host, port=port, open_page=not no_open, say=click.echo, keep_running=keep_running)


def _opened(what: str, difficulty: str | None) -> tuple[Folder, Stage]:
    """Return the folder the page may open files of, and what to open first."""
    from ...errors import InputError
    from ..studio.folder import Folder
    from ..studio.opening import opened, request_for
    from .source import SAMPLE_PREFIX, is_sample

    request = request_for(what, difficulty)
    if is_sample(what):
        return (folder := Folder(Path.cwd())), opened(folder, request_for(what.removeprefix(SAMPLE_PREFIX), difficulty))
    if difficulty is not None and request.level is None:
        raise InputError(f"--difficulty is for levels, but {what} says itself how hard it is; leave it out")
    folder = Folder(Path(what).parent)
    return folder, opened(folder, request_for(Path(what).name, difficulty))
