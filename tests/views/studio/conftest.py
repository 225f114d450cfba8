"""One browser for all tests of the page; each test gets its own windows and fails if they report an error."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from lastseen.views.studio.session.game import Game
from lastseen.vocabulary.events import AnyEvent
from studio.browser import Window, chromium
from studio.map import FAR_OFF, LAST, Map
from studio.server import PATIENCE, TOKEN, Served, serving

ARGUMENTS = (
    "--no-sandbox --headless=new --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a screen."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS.split())
        yield started
        started.close()


@pytest.fixture
def window(browser: Browser) -> Iterator[Callable[..., Window]]:
    """Open a page of a server; at the end none may have complained or asked another host."""
    opened: list[Window] = []

    def open_window(served: Served | str, *, ready: bool = True, tour: bool = False, **options: object) -> Window:
        one = Window(browser, _address(served), tour=tour, **options)
        opened.append(one)
        if ready:
            one.until("lastseenTest.agents.length > 0")
        return one

    yield open_window
    for one in opened:
        one.context.close()
    for one in opened:
        # A page may ask for something late, of a server the test has ended before the page.
        late = "" if _answers(one.host) else "ERR_CONNECTION_REFUSED"
        assert [text for text in one.complaints if not late or late not in text] == []
        assert one.strangers == []


@pytest.fixture(scope="module")
def shared_windows(browser: Browser) -> Iterator[dict[str, Window]]:
    """Windows the tests of a file share, by address: to open one takes longer than most of these tests."""
    opened: dict[str, Window] = {}
    yield opened
    for one in opened.values():
        one.context.close()


@pytest.fixture
def tab(browser: Browser, shared_windows: dict[str, Window]) -> Iterator[Callable[[Served | str], Window]]:
    """Take a page of a server that an earlier test of the file may have used; what was selected no longer is."""
    used: list[Window] = []

    def take(served: Served | str) -> Window:
        address = _address(served)
        if address not in shared_windows:
            shared_windows[address] = Window(browser, address)
        one = shared_windows[address]
        used.append(one)
        one.until("lastseenTest.agents.length > 0")
        one.page.locator("#map").focus()
        one.key("Escape")
        one.until("lastseenTest.selected === null")
        return one

    yield take
    for one in used:
        assert one.complaints == []
        assert one.strangers == []


def _address(served: Served | str) -> str:
    return served if isinstance(served, str) else f"http://{served.host}/?token={TOKEN.replace(' ', '%20')}"


@pytest.fixture
def gate(monkeypatch) -> Iterator[threading.Event]:
    """Repeated runs stand still at their fifth step, or their last if that comes first, until this is set."""
    opened, repeater = threading.Event(), Game.repeater

    def slow(game):
        repeat, until = repeater(game), game.shown

        def waiting(progress):
            def at(tick):
                if tick == min(5, until):
                    opened.wait(PATIENCE)
                return progress(tick)

            return repeat(at)

        return waiting

    monkeypatch.setattr(Game, "repeater", slow)
    yield opened
    opened.set()


@pytest.fixture(scope="session")
def shown(tmp_path_factory, browser: Browser) -> Iterator[Map]:
    """The warehouse: guards have seen a target, lost it, and search; time stands still."""
    with serving(tmp_path_factory.mktemp("overlays"), "warehouse", "hard") as served, served.page() as page:
        page.say("input", move=[0, 1], gait="run")
        page.say("step", ticks=120)
        page.say("input")
        page.say("place", agent=page.hello["player"], at=FAR_OFF)
        for _ in range((LAST - 120) // 100):
            page.say("step", ticks=100)
        page.settle()
        window = Window(browser, _address(served), color_scheme="light")
        window.until("lastseenTest.agents.length > 0")
        yield Map(window, page, served)
        window.context.close()
        assert window.complaints == []
        assert window.strangers == []


@pytest.fixture
def events(shown: Map) -> dict[str, list[AnyEvent]]:
    """What happened there, by kind."""
    return {
        kind: [one for one in shown.game.events() if one.kind == kind] for kind in ("flood", "heard", "said", "lost")
    }


@pytest.fixture
def rooms(tmp_path) -> Iterator[Served]:
    """Two rooms and an empty folder, to draw in."""
    with serving(tmp_path, "rooms") as served:
        yield served


def _answers(host: str) -> bool:
    name, _, port = host.rpartition(":")
    with contextlib.suppress(OSError, ValueError):
        socket.create_connection((name, int(port)), 1.0).close()
        return True
    return False
