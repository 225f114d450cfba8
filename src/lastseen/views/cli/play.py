"""`lastseen play`: sneak through a level in the browser, or watch a scenario or a recording."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ...compilation.progress import CompileProgress
    from ...level.level import Level
    from ..studio.folder import Folder
    from ..studio.messages import Open
    from ..studio.preparation import Preparation
    from ..studio.stage import Stage

__all__ = ["command"]

PORT = 8765
FIRST, REST = ("play",), ("chase", "game")
"""Purposes whose kernels the first steps of a game need, and those it may need later."""


@click.command("play", short_help="Sneak through a level in the browser; see why guards do what they do.")
@click.argument("what", metavar="[LEVEL | SCENARIO | RECORDING]", default="warehouse")
@click.option("--difficulty", metavar="NAME", help="easy, normal or hard.  [normal]")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, help=f"Port to listen on; a free one if taken.  [{PORT}]"
)
@click.option(
    "--host", default="127.0.0.1", metavar="ADDRESS", help="Address to listen on.  [127.0.0.1: this machine only]"
)
@click.option("--no-open", is_flag=True, help="Do not open the browser; only print the address.")
@click.option(
    "--keep-running", is_flag=True, help="Keep simulating while no page is open; otherwise time waits for one."
)
@click.option("--picture", metavar="FILE", help="Draw a chase in the level as a PNG instead; no browser, no server.")
def command(
    what: str, difficulty: str | None, port: int, host: str, no_open: bool, keep_running: bool, picture: str | None
) -> None:
    """Open the studio in the browser.

    Play LEVEL (a file or the name of a sample; default: warehouse), or watch SCENARIO (a file or a built-in one, see
    `lastseen run --help`) or RECORDING. The page can open files from the same folder and saves runs there.

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
    """Return the folder whose files the page may open, and what to open first."""
    from ...errors import InputError
    from ...simulation.scenario.reader import ready_scenarios
    from ..studio.folder import Folder
    from ..studio.messages import Open
    from ..studio.opening import request_for
    from .source import SAMPLE_PREFIX, is_sample

    is_ready = what in ready_scenarios() and not Path(what).exists()
    if difficulty is not None and (is_ready or request_for(what).level is None):
        raise InputError(f"--difficulty applies to levels, but {what} is not a level; leave it out")
    if is_ready:
        return Folder(Path.cwd()), Open(scenario=what)
    if is_sample(what):
        return Folder(Path.cwd()), request_for(what.removeprefix(SAMPLE_PREFIX), difficulty)
    return Folder(Path(what).parent), request_for(Path(what).name, difficulty)


def _prepared(folder: Folder, request: Open, preparation: Preparation) -> Stage:
    """Show the level, then compile what the first steps need and open it; the rest compiles during the game."""
    from ...compilation.warmup import is_ready
    from ..compiling import compile_ahead
    from ..studio.opening import opened
    from .console import Stages

    with Stages(quiet=True) as stages:

        def tell(now: CompileProgress) -> None:
            preparation.compile_first(now)
            stages.say_compiling(now)

        def when_read(title: str, level: Level) -> None:
            preparation.show(title, level)
            compile_ahead(FIRST, tell)

        stages.watch_compiler()
        stage = opened(folder, request, when_read=when_read)
    if not is_ready(*REST):
        preparation.later(partial(_compile_rest, preparation))
    return stage


def _compile_rest(preparation: Preparation) -> None:
    """Compile what a game may need later: chases, searches, crews."""
    from ..compiling import compile_ahead

    click.echo("compiling the rest in the background: chases, searches, crews", err=True)
    last = compile_ahead(REST, preparation.compile_rest, nice=10)
    preparation.compile_rest(None)
    click.echo(f"compiled {last.done} more kernels in {last.seconds:.0f} s", err=True)
