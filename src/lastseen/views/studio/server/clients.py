"""Connected pages: texts wait in a short queue, frames in one slot that holds the newest."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from itertools import count

from ....conventions import Array
from ..protocol.frames import PackedFrame, packed
from ..protocol.greeting import Hello
from ..protocol.news import Sent, encoded

MOST_WAITING = 2_000
"""Maximum number of texts waiting for a page; a page over it is disconnected."""
MOST_PAGES = 64


class Client:
    """One page. Everything here happens in the server's thread."""

    _numbers = count(1)

    def __init__(self) -> None:
        self.number = next(self._numbers)
        self.age = -1
        self.views = self.ways = False
        self.layers: tuple[int, ...] | None = None
        self.is_lost = False
        self._texts: deque[str] = deque()
        self._slot: PackedFrame | None = None
        self._held: tuple[Array, ...] | None = None
        self._wake = asyncio.Event()

    def say(self, text: str) -> None:
        """Queue a text to be sent."""
        if len(self._texts) >= MOST_WAITING:
            self.is_lost = True
        else:
            self._texts.append(text)
        self._wake.set()

    def greet(self, text: str, age: int) -> None:
        """Send a greeting after something was opened: it replaces what the page knew, including queued texts."""
        self._texts.clear()
        self._slot, self._held, self.age = None, None, age
        self.say(text)

    def show(self, moment: PackedFrame) -> None:
        """Put a frame into the slot, replacing one not yet sent."""
        if moment.age == self.age:
            if self._slot is not None and self._slot.whole and not moment.whole:
                self._held = None  # a jump that was not sent must not be lost
            self._slot = moment
            self._wake.set()

    def choose(self, layers: tuple[int, ...] | None, views: bool, ways: bool = False) -> None:
        """Set what the page shows; the next frame is whole."""
        self.layers, self.views, self.ways, self._held = layers, views, ways, None

    async def send_on(
        self, send_text: Callable[[str], Awaitable[None]], send_bytes: Callable[[bytes], Awaitable[None]]
    ) -> None:
        """Send texts in order, then the newest frame, until the page is lost."""
        while not self.is_lost:
            await self._wake.wait()
            self._wake.clear()
            while self._texts and not self.is_lost:
                await send_text(self._texts.popleft())
            moment, self._slot = self._slot, None
            if moment is not None and not self.is_lost:
                # A page that has not heard yet that another run is shown may want layers that it lacks.
                has = range(len(moment.layers))
                shown = has if self.layers is None else [number for number in self.layers if number in has]
                data = packed(moment, self._held, shown, views=self.views, ways=self.ways)
                self._held = moment.layers
                await send_bytes(data)


class Hub:
    """All pages; the game's thread reaches them through this class."""

    def __init__(self) -> None:
        self.clients: dict[int, Client] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Set the event loop of the pages; None: nothing is sent any more."""
        self._loop = loop

    def call(self, act: Callable[[], None]) -> None:
        """Run a function in the server's thread soon."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(act)
            except RuntimeError:  # closed just now
                self._loop = None

    def _each(self, act: Callable[[Client], None], to: Iterable[int] | None) -> None:
        """Call a function with some pages, or with all, in the server's thread soon."""
        wanted = None if to is None else tuple(to)

        def run() -> None:
            for number, client in list(self.clients.items()):
                if wanted is None or number in wanted:
                    act(client)

        self.call(run)

    def choose(self, number: int, layers: tuple[int, ...] | None, views: bool, ways: bool = False) -> None:
        """Set what a page shows."""
        self._each(lambda client: client.choose(layers, views, ways), (number,))

    def say(self, message: Sent, to: Iterable[int] | None = None) -> None:
        """Send a message to some pages, or to all that were greeted: the others lack the context."""
        text, to_all = encoded(message), to is None

        def act(client: Client) -> None:
            if not to_all or client.age >= 0:
                client.say(text)

        self._each(act, to)

    def greet(self, hello: Hello, age: int, to: Iterable[int] | None = None) -> None:
        """Greet some pages, or all, after something was opened."""
        text = encoded(hello)
        self._each(lambda client: client.greet(text, age), to)

    def show(self, moment: PackedFrame, to: Iterable[int] | None = None) -> None:
        """Show a frame to some pages, or to all."""
        self._each(lambda client: client.show(moment), to)
