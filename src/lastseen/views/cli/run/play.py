"""`lastseen play`: sneak through a level in the browser, watch a scenario or a recording, or draw a chase."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..app.options import leaves_option, predictor_option

if TYPE_CHECKING:
    from ....cells.layout import CellLayout
    from ....compilation.progress import CompileProgress
    from ....level.level import Level
    from ...studio.protocol.messages import Open
    from ...studio.session.feed_run import FeedRun
    from ...studio.session.folder import Folder
    from ...studio.session.stage import Stage
    from ...studio.session.studio import Preparation

PORT = 8765
DEFAULT = "warehouse"
FIRST, REST = ("play",), ("chase", "game", "play")
"""Purposes whose kernels the first steps of a game need, and those it may need later."""


@click.command("play", short_help="Play a level in the browser; see why guards act as they do.")
@click.argument("what", metavar="[LEVEL | SCENARIO | RECORDING]", default=None, required=False)
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
@click.option("--feed", is_flag=True, help="Open nothing; wait for your own game, see lastseen.studio.connect().")
@leaves_option
@predictor_option
@click.option("--picture", metavar="FILE", help="Draw a chase in the level as a PNG instead; no browser, no server.")
def command(
    what: str | None,
    difficulty: str | None,
    port: int,
    host: str,
    no_open: bool,
    keep_running: bool,
    feed: bool,
    picture: str | None,
) -> None:
    """Open the studio in the browser.

    Play LEVEL (a file or the name of a sample; default: warehouse), or watch SCENARIO (a file or a shipped one, see
    `lastseen run --help`) or RECORDING. The page can open files from the same folder and saves runs there.

    \b
    Examples:
      lastseen play
      lastseen play house --difficulty hard
      lastseen play brawl
      lastseen play run.rec
      lastseen play --feed
      lastseen play warehouse --picture warehouse.png
    """
    if feed and (what or difficulty or picture):
        from ....errors import InputError

        raise InputError("--feed opens nothing else; leave out the level, --difficulty and --picture")
    if picture is not None:
        draw_play(what or DEFAULT, picture)
        return
    from ....compilation.interpretation import early_kernels_interpreted
    from ...studio.server.serve import serve
    from ...studio.session.feeds import empty_feed
    from ...studio.session.folder import Folder
    from ...studio.session.studio import Prepare

    folder, request = (Folder(Path.cwd()), None) if feed else _requested(what or DEFAULT, difficulty)
    prepare: Prepare = empty_feed if request is None else partial(_prepare, folder, request)
    with early_kernels_interpreted():
        serve(prepare, folder, host=host, port=port, open_page=not no_open, say=click.echo, keep_running=keep_running)


def _requested(what: str, difficulty: str | None) -> tuple[Folder, Open]:
    """Return the folder whose files the page may open, and what to open first."""
    from ....errors import InputError
    from ....simulation.scenario.reader import shipped_scenarios
    from ...studio.protocol.messages import Open
    from ...studio.session.folder import Folder
    from ...studio.session.stage_opening import request_for
    from ..app.inputs import SAMPLE_PREFIX, is_sample, require_level_or_scenario

    require_level_or_scenario(what)
    is_shipped = what in shipped_scenarios() and not Path(what).exists()
    if difficulty is not None and (is_shipped or request_for(what).level is None):
        raise InputError(f"--difficulty applies to levels, but {what} is not a level; leave it out")
    if is_shipped:
        return Folder(Path.cwd()), Open(scenario=what)
    if is_sample(what):
        return Folder(Path.cwd()), request_for(what.removeprefix(SAMPLE_PREFIX), difficulty)
    return Folder(Path(what).parent), request_for(Path(what).name, difficulty)


def _prepare(folder: Folder, request: Open, preparation: Preparation) -> Stage | FeedRun:
    """Show the level, open it and compile what the first steps need; the rest compiles during the game.

    On a small level, what only setting up needs is interpreted, and so is what few steps need until it is compiled.
    """
    from ....compilation.compile_monitor import compile_ahead
    from ....compilation.interpretation import EARLY, MOST_EARLY, SETTING_UP, kernels_interpreted
    from ....compilation.warmup import is_ready
    from ...studio.session.stage import Stage
    from ...studio.session.stage_opening import opened
    from ..app.console import Stages

    with Stages(quiet=True) as stages:

        def report(now: CompileProgress) -> None:
            preparation.compile_first(now)
            stages.say_compiling(now)

        stages.watch_compiler()
        with kernels_interpreted(when_compiling=lambda: compile_ahead(FIRST, report)):
            stage = opened(folder, request, when_read=preparation.show)
        is_small = isinstance(stage, Stage) and len(stage.layout) <= MOST_EARLY
        compile_ahead(FIRST, report, skipped=(*SETTING_UP, *EARLY) if is_small else SETTING_UP)
    if not is_ready(*REST):
        preparation.later(partial(_compile_rest, preparation))
    return stage


def _compile_rest(preparation: Preparation) -> None:
    """Compile what is interpreted so far, then what a game may need later: chases, searches, crews."""
    from ....compilation.compile_monitor import compile_ahead
    from ....compilation.interpretation import SETTING_UP

    told = False

    def report(now: CompileProgress) -> None:
        nonlocal told
        if not told:
            click.echo("compiling the rest in the background: chases, searches, crews", err=True)
            told = True
        preparation.compile_rest(now)

    early = compile_ahead(FIRST, report, nice=10, skipped=SETTING_UP)
    last = compile_ahead(REST, report, nice=10)
    preparation.compile_rest(None)
    if told:
        click.echo(f"compiled {early.done + last.done} more kernels in {early.seconds + last.seconds:.0f} s", err=True)


def draw_play(level: str, output: str) -> None:
    """Bake a level, lose a target in it and draw where to run; suggest what to try next."""
    from ....files import atomic_write
    from ..app.bake_request import BakeRequest
    from ..app.console import Stages
    from ..app.inputs import read_source, source_name
    from ..app.outputs import check_picture

    path = check_picture(output, level)
    with Stages(quiet=False) as stages:
        drawn = stages.run("read", read_source, level)
        layout = BakeRequest().bake(drawn, stages, level)
        title = drawn.name or source_name(level)
        with stages.interpreted("chase"):
            picture, words = stages.run("chase", _chase, layout, drawn, title)
        stages.run("write", atomic_write, path, picture)
    click.echo(f"{title}: {len(layout):,} cells in {sum(stages.seconds.values()):.1f} s")
    click.echo(words)
    click.echo(f"wrote {output}: open it to see where a guard should run now")
    click.echo("next: lastseen chase --help (your own), lastseen level list (more levels), lastseen --help")


def _chase(layout: CellLayout, level: Level, title: str) -> tuple[bytes, str]:
    """Return a picture of a chase and a line about it."""
    from ....reasoning.chase.flood.chase import Chase
    from ....reasoning.chase.likely_loss import likely_loss
    from ...figures.moment.chase_figure import ChaseScene, draw_chase

    chase = Chase(layout)
    loss = likely_loss(layout, level)
    flood = chase.predict(loss)
    scene = ChaseScene(layout, flood, loss.seen_at, loss.heading, level=level, hot=chase.settings.hot)
    (x, y), (to_x, to_y) = loss.seen_at[:2].tolist(), flood.destination[:2].tolist()
    words = (
        f"last seen at ({x:.1f}, {y:.1f}): run to ({to_x:.1f}, {to_y:.1f}), {flood.reason} after {flood.steps} steps"
    )
    return draw_chase(scene, title=title), words
