"""While kernels are compiled the page shows the level and how far that is; the rest is compiled while one plays."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from lastseen.compilation.progress import CompileProgress
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.stage import Stage
from lastseen.views.studio.session.stage_opening import opened, request_for
from lastseen.views.studio.session.studio import Preparation
from studio.browser import Window
from studio.server import PATIENCE, preparing


class Slow:
    """Prepares a game as slowly as a test wants; what is compiled is made up."""

    def __init__(self, stage: Stage):
        self.stage = stage
        self.preparation: Preparation
        self.has_shown, self.may_open = threading.Event(), threading.Event()

    def __call__(self, preparation: Preparation) -> Stage:
        self.preparation = preparation
        preparation.show("Warehouse", self.stage.setting.level)
        self.has_shown.set()
        assert self.may_open.wait(PATIENCE)
        preparation.later(lambda: preparation.compile_rest(CompileProgress(3, 4.0, 70, 31.0, is_busy=True)))
        return self.stage


@pytest.fixture
def slow(tmp_path) -> Slow:
    return Slow(opened(Folder(tmp_path), request_for("warehouse")))


def says(part: str, words: str) -> str:
    """What must be true for a part of the page to be seen and to say something."""
    found = f"document.querySelector('{part}')"
    return f"{found}.checkVisibility() && {found}.textContent.includes('{words}')"


def test_the_level_is_shown_while_kernels_are_compiled(tmp_path, slow: Slow, window: Callable[..., Window]) -> None:
    with preparing(tmp_path, slow) as served:
        assert slow.has_shown.wait(PATIENCE)
        one = window(served, ready=False)
        one.until("lastseenTest.overlays.includes('preview')")
        one.until(says("#ready", "Getting ready: Warehouse"))
        assert "Warehouse" in one.page.title()
        places = one.pixels([(5.5, 5.5, 0.0), (0.2, 0.2, 0.0), (25.0, 3.5, 0.0)])
        before = one.colours(places)
        assert before[0] != before[1], "floor and wall look the same"

        slow.preparation.compile_first(CompileProgress(11, 3.0, is_busy=True))
        one.until(says("#ready p", "Compiling kernel 12"))
        assert one.ask("document.querySelector('#ready p').textContent") == "Compiling kernel 12"
        assert not one.ask("document.querySelector('#ready progress').hasAttribute('value')")
        slow.preparation.compile_first(CompileProgress(12, 3.0, 68, 9.0, is_busy=True))
        late = one.open()
        one.until(says("#ready p", "Compiling kernel 13 of 68, about 9 seconds left"), page=late)
        one.until("lastseenTest.overlays.includes('preview')", page=late)
        assert one.ask("document.querySelector('#ready progress').value", late) == pytest.approx(0.25)

        slow.may_open.set()
        one.until("lastseenTest.agents.length > 0")
        assert not one.ask("document.querySelector('#ready').checkVisibility()")
        assert one.colours(places) == before, "the level moved when the game began"


def test_the_rest_is_compiled_while_one_plays(tmp_path, slow: Slow, window: Callable[..., Window]) -> None:
    slow.may_open.set()
    with preparing(tmp_path, slow) as served:
        assert served.studio.ready.wait(PATIENCE)
        one = window(served)
        one.until(says("#background", "Compiling kernel 4 of 70, about 31 seconds left, in the background"))
        one.key("Space")
        one.until("lastseenTest.tick > 5")
        slow.preparation.compile_rest(None)
        one.until("document.querySelector('#background').textContent === ''")
        one.pause()
