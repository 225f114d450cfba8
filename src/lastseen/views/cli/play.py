"""`lastseen play`: sneak through a level in the browser, or watch a scenario or a recording."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..studio.folder import Folder
    from ..studio.messages import Open
    from ..studio.stage import Stage

__all__ = ["command"]

PORT = 8765
GAME = ("play", "chase", "game")
"""Purposes whose kernels a game may need, beyond opening it."""


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
    """Open the studio: play LEVEL (a file or the name of a sample; the warehouse if not given), or watch SCENARIO (a
    file or the name of a ready one, see `lastseen run --help`) or RECORDING. Files beside it can be opened from the
    page, and runs are saved there.

    \b
    lastseen play
    lastseen play house --difficulty hard
    lastseen play brawl
    lastseen play run.rec
    lastseen play warehouse --picture warehouse.png
    """
    if picture is not None:
        from .play_picture import draw_play

        draw_play(what, picture)
        return
    from ..studio.serve import serve

    folder, request = _asked(what, difficulty)
    prepare = partial(_prepared, folder, request)
    serve(prepare, folder, host=host, port=port, open_page=not no_open, say=click.echo, keep_running=keep_running)


def _asked(what: str, difficulty: str | None) -> tuple[Folder, Open]:
    """Return the folder the page may open files of, and what to open first."""
    from ...errors import InputError
    from ...simulation.scenario.ready import ready_scenarios
    from ..studio.folder import Folder
    from ..studio.messages import Open
    from ..studio.opening import request_for
    from .source import SAMPLE_PREFIX, is_sample

    is_ready = what in ready_scenarios() and not Path(what).exists()
    if difficulty is not None and (is_ready or request_for(what).level is None):
        raise InputError(f"--difficulty is for levels, but {what} says itself how hard it is; leave it out")
    if is_ready:
        return Folder(Path.cwd()), Open(scenario=what)
    if is_sample(what):
        return Folder(Path.cwd()), request_for(what.removeprefix(SAMPLE_PREFIX), difficulty)
    return Folder(Path(what).parent), request_for(Path(what).name, difficulty)


def _prepared(folder: Folder, request: Open, tell: Callable[[str], None]) -> Stage:
    """Open what is asked for, then compile what a game may need, unless it is kept; tell the page and the terminal."""
    from ...compilation.warmup import warmup
    from ..studio.opening import opened
    from .console import Stages

    with Stages(quiet=True) as stages:
        stages.watch_compiler(lambda: tell("getting ready: compiling, first time only"))
        stage = opened(folder, request)
        warmup(*GAME, progress=lambda progress: tell(f"getting ready: compiling {progress}, first time only"))
    return stage
