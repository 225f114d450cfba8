"""Show a game of your own in a running studio: agents, points, lines, numbers and events, frame by frame."""

from __future__ import annotations

import atexit
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

import numpy as np

from ..checks import expect, finite_number, instance_of, point_xyz, points_xyz, shown, table_of, text_of
from ..errors import InputError
from ..level.features import door_number
from ..level.level import Level
from ..views.studio.protocol.feeds import (
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_AGENTS,
    MOST_FACTS,
    MOST_LINE_POINTS,
    MOST_MARKS,
    MOST_NUMBERS,
    Fact,
    FedAgent,
    FedEvent,
    FedFrame,
    FedLine,
    FedPoint,
)
from ..views.studio.server.running_studios import Running, find_running, studio_at
from .sender import Sender, start_studio

_FAR = 1e6
"""Greatest coordinate in metres."""
_LARGE = 1e15


class Feed:
    """Frames of a game for the studio; make one with `connect`.

    Agents, points, lines, numbers and doors stay as they are until they are set again or removed; `frame` sends all
    of them as they are now. Calls take microseconds and never wait for the studio: frames it cannot take in time, or
    while it is gone, are dropped, the oldest first, and counted. Use one feed in one thread at a time.
    """

    def __init__(self, sender: Sender | None = None, level: Level | None = None):
        self._level = level if level is None else expect(level, Level, "level")
        self._shut: tuple[int, ...] | None = None
        self._sender = sender if sender is None else instance_of(sender, Sender, "sender", "make a feed with connect()")
        self._begun = monotonic()
        self._agents: dict[str, FedAgent] = {}
        self._points: dict[str, FedPoint] = {}
        self._lines: dict[str, FedLine] = {}
        self._numbers: dict[str, float] = {}
        self._events: list[tuple[str, str, str]] = []

    def agent(
        self,
        name: str,
        at: Any,
        *,
        heading: float = 0.0,
        state: str = "",
        why: str = "",
        view: tuple[float, float] | None = None,
        facts: Mapping[str, Fact] | None = None,
    ) -> None:
        """Set an agent.

        Parameters
        ----------
        at : (x, y) or (x, y, z) in metres.
        heading : direction in radians, counter-clockwise from the x axis.
        state : any word; those of lastseen, such as "patrol" or "chase", have their own sign and colour.
        why : the reason for what it does now, shown when the agent is selected.
        view : range in metres and whole angle in radians of its field of view, which walls of the level cut off.
        facts : further values to show with the reason, as {name: number, text or bool}.
        """
        name = _name(name, "name")
        cone = None if view is None else _view(view)
        facts = {_name(key, "a fact's name"): _fact(value, key) for key, value in table_of(facts, "facts").items()}
        _limit(facts, None, MOST_FACTS, "facts")
        _limit(self._agents, name, MOST_AGENTS, "agents")
        self._agents[name] = FedAgent(
            name,
            _point(at, "at"),
            math.remainder(finite_number(heading, "heading", unit="rad"), math.tau),
            _text(state, "state", LONGEST_NAME),
            _text(why, "why", LONGEST_TEXT),
            cone,
            facts,
        )

    def point(self, name: str, at: Any, *, text: str = "") -> None:
        """Set a point at (x, y) or (x, y, z) in metres, labelled with `text`, else with its name."""
        name = _name(name, "name")
        _limit(self._points, name, MOST_MARKS, "points")
        self._points[name] = FedPoint(name, _point(at, "at"), _text(text, "text", LONGEST_NAME))

    def line(self, name: str, points: Any) -> None:
        """Set a line through points, (n, 2) or (n, 3) in metres; that of an agent at its goal may be a single point."""
        name = _name(name, "name")
        _limit(self._lines, name, MOST_MARKS, "lines")
        places = points_xyz(points)
        if not 1 <= len(places) <= MOST_LINE_POINTS:
            raise InputError(f"line {name!r} has {len(places)} points; give 1 to {MOST_LINE_POINTS:,}")
        near = tuple(_near(place, "points") for place in places.tolist())
        self._lines[name] = FedLine(name, near if len(near) > 1 else near * 2)

    def door(self, door: str | int, closed: bool) -> None:
        """Close or open a door of the level, by name or number; before the first call all are as the level says."""
        if self._level is None:
            raise InputError("the feed has no level, so it has no doors; give it to connect(level=…)")
        if not isinstance(closed, bool | np.bool_):
            raise InputError(f"closed is {shown(closed)}; give True or False")
        doors = self._level.doors
        number = door_number([one.name for one in doors], door)
        shut = {k for k, one in enumerate(doors) if one.starts_closed} if self._shut is None else set(self._shut)
        self._shut = tuple(sorted(shut | {number} if closed else shut - {number}))

    def number(self, name: str, value: float) -> None:
        """Set a number, which is plotted over time."""
        name = _name(name, "name")
        _limit(self._numbers, name, MOST_NUMBERS, "numbers")
        self._numbers[name] = finite_number(value, name, low=-_LARGE, high=_LARGE)

    def event(self, name: str, *, agent: str = "", text: str = "") -> None:
        """Report something that happened, to an agent if one is named; it is sent with the next frame."""
        self._events.append(
            (_name(name, "name"), _text(agent, "agent", LONGEST_NAME), _text(text, "text", LONGEST_TEXT))
        )

    def remove(self, name: str) -> None:
        """Remove the agent, point, line and number of this name; unknown names are ignored."""
        name = _name(name, "name")
        for table in (self._agents, self._points, self._lines, self._numbers):
            table.pop(name, None)

    def frame(self, time: float | None = None) -> None:
        """Send everything as it is now.

        `time` is the time of your game in seconds; None: seconds since the feed was connected. If it goes back, the
        studio starts the run again, as after a restart of your level.
        """
        now = monotonic() - self._begun if time is None else finite_number(time, "time", low=-1e9, high=1e9, unit="s")
        events = [FedEvent(now, *event) for event in self._events]
        self._events.clear()
        if self._sender is not None:
            agents, points = tuple(self._agents.values()), tuple(self._points.values())
            lines, numbers = tuple(self._lines.values()), self._numbers.copy()
            self._sender.put(FedFrame(now, agents, points, lines, numbers, self._shut), events)

    @property
    def is_connected(self) -> bool:
        """Whether the studio receives frames now."""
        return self._sender is not None and self._sender.is_connected

    @property
    def address(self) -> str:
        """The address of the studio, without the token; empty if there is none."""
        return "" if self._sender is None else self._sender.address

    @property
    def dropped(self) -> int:
        """Number of frames that were never sent, because the studio was too slow or gone."""
        return 0 if self._sender is None else self._sender.dropped

    def close(self) -> None:
        """Send what is left, for at most a second, and disconnect; what is set later goes nowhere."""
        if self._sender is not None:
            atexit.unregister(self.close)
            self._sender.close()

    def __enter__(self) -> Feed:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Feed({self.address or 'no studio'}, dropped={self.dropped})"


def connect(
    name: str | None = None,
    *,
    level: Level | None = None,
    step: float = 1.0 / 60.0,
    address: str | None = None,
    token: str | None = None,
    required: bool = True,
    start: bool = False,
) -> Feed:
    """Connect this program to a running studio (`lastseen play --feed`), and return the feed for its frames.

    Parameters
    ----------
    name : title of the run in the studio; the name of your program by default.
    level : drawn as the map.
    step : seconds between two steps of the studio's time bar; frames closer together than that are merged.
    address, token : of the studio, as `lastseen play` prints them; by default the studio you started last is found.
    required : raise if there is no studio; if False, return a feed that does nothing.
    start : start a studio, and open it in the browser, if there is none.

    Raises
    ------
    InputError
        There is no studio, it rejects the token or the level, or an argument is invalid.
    """
    title = Path(sys.argv[0] or "game").stem or "game" if name is None else name
    title = _name(title if name is not None else title[:LONGEST_NAME], "name")
    if level is not None:
        expect(level, Level, "level")
    step = finite_number(step, "step", unit="s", low=0.001, high=10.0)
    where = _studio(address, token) or (start_studio() if start else None)
    if where is None and required:
        raise InputError(
            "no studio is running; start one with `lastseen play --feed`, give start=True to start it from here, or "
            "required=False to go on without"
        )
    if where is None:
        return Feed(level=level)
    try:
        sender = Sender(where, title, level, step, finds=address is None)
        sender.begin()
    except InputError:
        if required:
            raise
        return Feed(level=level)
    feed = Feed(sender, level)
    atexit.register(feed.close)
    return feed


def _studio(address: Any, token: Any) -> Running | None:
    """Return the studio at an address, or the one started last; None: none is running."""
    if address is not None:
        return studio_at(text_of(address, "address"), None if token is None else text_of(token, "token"))
    if token is not None:
        raise InputError("token is given without an address; give both, or neither to find the studio")
    return find_running()


def _name(value: Any, what: str) -> str:
    if type(value) is str and 0 < len(value) <= LONGEST_NAME and value.isascii():
        return value
    text = _sendable(text_of(value, what), what)
    if 0 < len(text) <= LONGEST_NAME:
        return text
    raise InputError(f"{what} has {len(text)} characters; give 1 to {LONGEST_NAME}")


def _sendable(text: str, what: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what} is {shown(text)}, which has no UTF-8; give text without lone surrogates") from None
    return text


def _text(value: Any, what: str, most: int) -> str:
    text = _sendable(text_of(value, what), what)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _point(value: Any, what: str) -> tuple[float, float, float]:
    return _near(point_xyz(value, what).tolist(), what)


def _near(place: list[float], what: str) -> tuple[float, float, float]:
    x, y, z = place
    if max(abs(x), abs(y), abs(z)) > _FAR:
        raise InputError(f"{what} is ({x:g}, {y:g}, {z:g}); coordinates go up to {_FAR:g} m")
    return x, y, z


def _view(value: Any) -> tuple[float, float]:
    try:
        far, angle = value
    except (TypeError, ValueError):
        raise InputError(f"view is {shown(value)}; give (range in metres, angle in radians)") from None
    far = finite_number(far, "view range", unit="m", low=0.0, high=1e4, open_low=True)
    angle = finite_number(angle, "view angle", unit="rad", low=0.0, high=math.tau, open_low=True)
    return far, angle


def _fact(value: Any, name: str) -> Fact:
    if isinstance(value, str):
        return _text(value, f"fact {name!r}", LONGEST_TEXT)
    return value if isinstance(value, bool) else finite_number(value, f"fact {name!r}", low=-_LARGE, high=_LARGE)


def _limit(table: Mapping[str, Any], name: str | None, most: int, what: str) -> None:
    """Raise if a table has no room for one more name; None: if it is too large."""
    if len(table) >= most + (name is None) and name not in table:
        raise InputError(f"a frame has at most {most} {what}; remove one first")
