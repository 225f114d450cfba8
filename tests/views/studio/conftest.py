"""One browser for all tests of the page; each test gets windows of its own and fails on what they complain of."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from studio_browser import Window, chromium
from studio_server import TOKEN, Served

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
        address = served if isinstance(served, str) else f"http://{served.host}/?token={TOKEN.replace(' ', '%20')}"
        one = Window(browser, address, tour=tour, **options)
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


def _answers(host: str) -> bool:
    name, _, port = host.rpartition(":")
    with contextlib.suppress(OSError, ValueError):
        socket.create_connection((name, int(port)), 1.0).close()
        return True
    return False
