"""Feeds: games elsewhere that show themselves in this studio, one run each."""

from __future__ import annotations

import zlib
from base64 import b64decode
from typing import TYPE_CHECKING

from ....errors import InputError, did_you_mean
from ....level.level import Level
from ....level.readers.geojson import read
from ..protocol import news
from ..protocol.feed_frames import numbers_since
from ..protocol.feeds import MOST_LEVEL_BYTES, FeedBegins, FeedFrames
from .feed_run import FeedRun

if TYPE_CHECKING:
    from .director import Director
    from .studio import Preparation

MOST_FEEDS = 8
MOST_CLOSED = 4
"""Maximum number of connected feeds, and of runs that are kept after their game has left."""
WAITING = "waiting for a game"
_SHORT = 2_000
"""Number of events up to which the story is told with each of them, not once a second."""


def level_in(message: FeedBegins) -> Level | None:
    """Return the level a game sent; None: none. Raise LastSeenError if it cannot be read."""
    if not message.level:
        return None
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(b64decode(message.level, validate=True), MOST_LEVEL_BYTES + 1)
    except (ValueError, zlib.error) as error:
        raise InputError(f"the level of {message.name!r} cannot be unpacked: {error}") from None
    if len(data) > MOST_LEVEL_BYTES:
        raise InputError(f"the level of {message.name!r} has more than {MOST_LEVEL_BYTES:,} bytes as GeoJSON")
    return read(data, message.name)


def empty_feed(_: Preparation | None = None) -> FeedRun:
    """Return a run to show until a game connects, without any preparation."""
    return FeedRun(WAITING, None, 1.0 / 60.0)


class Feeds:
    """Keeps the runs of games by their keys, and shows the frames of the open one; belongs to the game's thread."""

    def __init__(self, director: Director):
        self._director = director
        self._runs: dict[str, FeedRun] = {}
        self._connections: dict[str, int] = {}

    def menu(self) -> tuple[news.MenuEntry, ...]:
        """Return the runs that can be opened."""
        about = {True: "live", False: "no longer connected"}
        return tuple(news.MenuEntry(run.source, about[run.is_connected]) for run in self._runs.values() if run.ticks)

    def named(self, name: str) -> FeedRun:
        """Return a run by the name it is opened by."""
        found = {run.source: run for run in self._runs.values()}
        if name not in found:
            raise InputError(f"there is no feed {name!r}{did_you_mean(name, found)}; it may have been replaced")
        return found[name]

    def begin(self, message: FeedBegins, level: Level | None) -> FeedRun:
        """Connect a game: continue its run if there is one, else begin another."""
        if sum(self._connections.values()) >= MOST_FEEDS:
            raise InputError(f"{MOST_FEEDS} games are connected already; close one of them")
        run = self._runs.get(message.key)
        if run is None or run.step != message.step or run.level != level:
            run = self._runs[message.key] = FeedRun(message.name, level, message.step, self._free_name(message))
        self._connections[message.key] = self._connections.get(message.key, 0) + 1
        self._set_connected(run, True)
        return run

    def _free_name(self, message: FeedBegins) -> str:
        """Return a name no other run has; a game that has left gives way to the next of its name."""
        for key, run in list(self._runs.items()):
            if run.name == message.name and not run.is_connected and run is not self._director.game:
                del self._runs[key]
        taken = {run.source for key, run in self._runs.items() if key != message.key}
        numbered = (message.name, *(f"{message.name} {number}" for number in range(2, len(taken) + 3)))
        return next(name for name in numbered if name not in taken)

    def leave(self, key: str) -> None:
        """Disconnect a game; its run can still be watched and saved."""
        self._connections[key] -= 1
        if self._connections[key]:
            return
        del self._connections[key]
        if (run := self._runs.get(key)) is not None:
            before = run.ticks
            run.finish()
            if run is self._director.game and run.ticks > before:
                self._show(run, before, follows=self._director.is_running and run.shown == before - 1)
            self._set_connected(run, False)
        closed = [one for one, run in self._runs.items() if not run.is_connected and run is not self._director.game]
        for one in closed[:-MOST_CLOSED]:
            del self._runs[one]

    def _set_connected(self, run: FeedRun, is_connected: bool) -> None:
        director = self._director
        run.is_connected = is_connected
        if director.game is run:
            director.say(news.FeedState(is_connected, run.dropped))
            director.is_running = is_connected if run.is_at_end() else director.is_running
            director.status()
        director.say(director.menus())

    def take(self, run: FeedRun, message: FeedFrames) -> None:
        """Add frames to a run, and show them if it is open; a new run is opened unless something else is running."""
        director, before = self._director, (run.ticks, len(run.agents), len(run.used), run.bounds())
        follows = director.game is run and director.is_running and run.is_at_end()
        try:
            restarted = run.add(message.frames, message.events)
        finally:
            lost, run.dropped = message.dropped != run.dropped, message.dropped
        if not run.ticks:
            return
        if not before[0]:
            self._welcome(run)
        elif director.game is run:
            has_names = before[1:3] == (len(run.agents), len(run.used))
            is_inside = run.level is not None or before[3] == run.bounds()
            if restarted or not has_names or not is_inside:
                director.watch(run, follows=follows or restarted)
            else:
                self._show(run, before[0], follows=follows)
            if lost:
                director.say(news.FeedState(run.is_connected, run.dropped))

    def _welcome(self, run: FeedRun) -> None:
        """Open a run with its first frame, unless a game is being played or another feed watched."""
        director, shown = self._director, self._director.game
        run.fresh.clear()
        if shown is run or not (shown.is_waiting() or (director.is_running and not shown.has_ended())):
            director.watch(run, follows=True)
        else:
            director.say(director.menus())
            director.say(news.Note(f"{run.source} is connected: choose it in the list of levels."))

    def _show(self, run: FeedRun, first: int, *, follows: bool) -> None:
        """Send what is new since step `first`, and the latest step if pages follow it."""
        director = self._director
        fresh, run.fresh = run.fresh, []
        director.send_events(fresh, first)
        if fresh and len(run.happened) < _SHORT:
            director.tell_all()
        else:
            director.tell_on()
        if run.numbers:
            director.say(numbers_since(run, first))
        if follows:
            run.seek(run.ticks - 1)
            director.show_soon()
        else:
            director.status()
