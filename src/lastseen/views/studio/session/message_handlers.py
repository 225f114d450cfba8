"""Handle the messages of pages: one function per type, which succeeds or raises without changing anything."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from ....agents.behaviour.files.build import build_tree
from ....errors import InputError, LastSeenError
from ..answers.export_jobs import comparer_of, maker_of
from ..answers.guard_placement import joined
from ..answers.questions import flood_answer
from ..answers.speech import evaluation_answer, voices_answer, with_rules
from ..editing.tree_files import trees_of
from ..panels.cell import require_cell
from ..protocol import messages as say
from ..protocol import news
from ..protocol.greeting_builder import mesh_answer
from ..protocol.solid import solid_answer
from .feed_run import FeedRun
from .folder import UPLOADED, NameTaken
from .game import Game
from .stage import YOU, Stage, stage_of_level
from .stage_opening import opened

if TYPE_CHECKING:
    from .director import Director

_MOMENT = 0.5
"""Seconds behind the latest frame of a feed that count as following it."""


def _input(director: Director, client: int, message: say.Input) -> None:  # noqa: ARG001
    # One-shot actions are kept until the next step, even if another direction arrives before it.
    before = director.wanted
    once = {name: getattr(message, name) or getattr(before, name) for name in say.ONCE}
    director.wanted = msgspec.structs.replace(message, **once)


def _run(director: Director, client: int, message: say.Run) -> None:  # noqa: ARG001
    director.speed = message.speed or director.speed
    if director.is_running and not message.running:
        director.pause()
        director.show()  # the last step may have passed too quickly to be shown
        return
    if message.running and director.game.is_feed:
        director.game.seek(_live_step(director.game))
    if message.running and not director.is_running:
        director.due = perf_counter()
        director.is_running = not (director.game.is_at_end() and director.game.has_ended())
    director.status()


def _live_step(game: Game) -> int:
    """Return the step to go on from in a feed: the latest if it is a moment away, so that pages catch up with it."""
    is_behind = game.has_ended() or (game.ticks - game.shown) * game.recording.about.step > _MOMENT
    return game.shown if is_behind else game.ticks - 1


def _step(director: Director, client: int, message: say.Step) -> None:  # noqa: ARG001
    director.is_running = False
    for _ in range(message.ticks):
        if director.game.is_at_end() and director.game.has_ended():
            break
        if director.advance():
            break
    director.pause()
    director.show()


def _seek(director: Director, client: int, message: say.Seek) -> None:  # noqa: ARG001
    director.is_running = False
    director.game.seek(message.tick)
    director.status()
    director.show(whole=True)


def _open(director: Director, client: int, message: say.Open) -> None:
    director.say(news.Busy("opening and baking"))
    try:
        director.open(_named(director, client, message))
    except LastSeenError:
        director.status()  # no longer busy
        raise


def _named(director: Director, client: int, message: say.Open) -> Stage | FeedRun:
    """Return the feed or the stage a page wants to open."""
    before = None if director.game.is_feed else director.game.stage
    if message.feed is None and not message.guards:
        return opened(director.folder, message, before)
    if any((message.level, message.scenario, message.recording, message.feed and message.guards)):
        raise InputError("name one level, scenario, recording or feed to open, not several")
    if message.guards:
        level = director.placing.level_of(client)
        difficulty = message.difficulty or (before.difficulty if before is not None else "normal")
        return stage_of_level(
            level, f"{UPLOADED}{level.name or 'level'} with guards", difficulty, before, message.opponent or YOU
        )
    if message.difficulty or message.opponent:
        raise InputError("a feed has no difficulty and no opponent; leave them out")
    assert message.feed is not None
    run = director.feeds.named(message.feed)
    run.seek(run.ticks - 1)
    return run


def _restart(director: Director, client: int, message: say.Restart) -> None:  # noqa: ARG001
    if director.game.is_feed:
        _seek(director, client, say.Seek(0))
    else:
        director.open(director.game.stage)


def _overlays(director: Director, client: int, message: say.Overlays) -> None:
    numbers = None
    if message.layers is not None:
        names = [kind.name for kind in director.kinds]
        unknown = [name for name in message.layers if name not in names]
        if unknown:
            raise InputError(f"no layer {unknown[0]!r}; there are {', '.join(names)}")
        numbers = tuple(sorted({names.index(name) for name in message.layers}))
    shown = ((director.views, message.views), (director.ways, message.ways), (director.spots, message.spots))
    for pages, shows in shown:
        (pages.add if shows else pages.discard)(client)
    director.surveying.choose(client, message.layers or ())
    if "cleaned" in (message.layers or ()):
        _read_search(director)
    director.hub.choose(client, numbers, message.views, message.ways)
    director.show(to=(client,))
    if message.spots:
        director.send_spots((client,))


def _read_search(director: Director) -> None:
    """Find which agent cleared what in a recording, which takes a while."""
    if director.game.searching is not None:
        return
    director.say(news.Busy("reading the search"))
    try:
        director.game.read_search()
    finally:
        director.status()


def _measure(director: Director, client: int, message: say.Measure) -> None:
    require_cell(director.game, message.cell)
    director.surveying.measure(client, message.cell)


def _place(director: Director, client: int, message: say.Place) -> None:
    if director.is_running:
        raise InputError("pause before you move an agent")
    director.game.require_place(message.agent, message.at)

    def move() -> None:
        director.game.place(message.agent, message.at)
        director.show(whole=True)

    director.resuming.begin(client, move)


def _breakpoints(director: Director, client: int, message: say.Breakpoints) -> None:  # noqa: ARG001
    lines = director.game.tree_lines(message.agent)
    beyond = [node for node in message.nodes if node >= len(lines)]
    if beyond:
        raise InputError(f"agent {message.agent} has no node {beyond[0]}; its tree has {len(lines)}")
    director.breakpoints.set(message.agent, message.nodes, lines)


def _apply_tree(director: Director, client: int, message: say.ApplyTree) -> None:
    game, file = director.game, trees_of(message.value, message.brain)
    build_tree(file, game.stage.setting.leaves)  # before anything is repeated

    def apply() -> None:
        agents = director.game.replace_tree(message.brain, file)
        director.say(news.TreeApplied(message.brain, list(agents), director.game.ticks))
        director.follow_trees()

    if game.is_at_end() and game.world is not None:
        apply()
    else:
        director.resuming.begin(client, apply)


def _save(director: Director, client: int, message: say.Save) -> None:
    game = director.previous.game if message.previous else director.game
    if game is None:
        raise InputError("there is no previous run to save")
    try:
        name = director.folder.save(message.name, game.file(), replace=message.replace)
    except NameTaken as taken:
        director.say(news.Taken(taken.name, message.previous), (client,))
        return
    director.previous.note_saved(game)
    director.say(news.Saved(name, game.ticks), (client,))
    director.say(director.menus())


def _compare(director: Director, client: int, message: say.Compare) -> None:
    make = comparer_of(director.game, director.folder, message.recording)
    director.exports.ask(client, "run", make, about="compare")


def _guards(director: Director, client: int, message: say.Guards) -> None:
    placing, level = director.placing, director.game.stage.setting.level
    if message.file is None:
        make = placing.placer_of(client, level, message)
    else:
        make = placing.loader_of(client, level, message, director.folder.path(message.file))
    director.exports.ask(client, "guards", make, about="guards")


def _sneak(director: Director, client: int, message: say.Sneak) -> None:
    director.exports.ask(client, "ways", director.placing.sneaker_of(client, message), about="sneak")


def _cancel(director: Director, client: int, message: say.Cancel) -> None:
    if message.what != "run" and director.exports.cancel(client):
        return
    if message.what == "file" or not director.resuming.call_off():
        raise InputError("nothing to cancel: no file is being made for this page and no run is being repeated")


HANDLERS: dict[type, Callable[..., None]] = {
    say.Input: _input,
    say.Run: _run,
    say.Step: _step,
    say.Seek: _seek,
    say.Resume: lambda director, client, _: director.resuming.begin(client),
    say.Restart: _restart,
    say.Open: _open,
    say.Overlays: _overlays,
    say.Measure: _measure,
    say.Mesh: lambda director, client, _: director.say(mesh_answer(director.game), (client,)),
    say.AskSolid: lambda director, client, _: director.say(solid_answer(director.game), (client,)),
    say.WhatIf: lambda director, client, asked: director.say(flood_answer(director.game, asked), (client,)),
    say.Place: _place,
    say.Breakpoints: _breakpoints,
    say.ApplyTree: _apply_tree,
    say.Save: _save,
    say.Export: lambda director, client, file: director.exports.ask(client, file.kind, maker_of(director.game, file)),
    say.Compare: _compare,
    say.Join: lambda director, client, asked: director.say(joined(director.game.paths.mesh, asked), (client,)),
    say.Guards: _guards,
    say.Sneak: _sneak,
    say.Cancel: _cancel,
    say.Voices: lambda director, client, _: director.say(voices_answer(director.game, director.folder), (client,)),
    say.Evaluate: lambda director, client, asked: director.say(evaluation_answer(director.game, asked), (client,)),
    say.UseRules: lambda director, _, use: director.open(with_rules(director.game.stage, director.folder, use.name)),
}
"""By the type of message: called with the director, the page and the message."""
WAITING = (say.Input, say.Run, say.Step, say.Resume, say.Place, say.ApplyTree, say.Save, say.Export, say.Compare)
"""Messages about the run that is being repeated: they wait for it. All others are handled meanwhile."""
FOR_FEEDS = ("run", "step", "seek", "restart", "open", "overlays", "save", "cancel", "ask", "solid")
"""Types of the messages that apply to feeds; all others are refused while one is open."""
