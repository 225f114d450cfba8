"""Does the studio keep its clock while many pages watch, its memory while time passes, and its page sixty pictures?"""

from __future__ import annotations

import asyncio
import gc
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.asyncio.client import connect

from lastseen.agents.brains.shipped_brains import PUPPET
from lastseen.level.level import Level
from lastseen.level.samples import sample
from lastseen.simulation.recording.live_recording import GrowingRecording
from lastseen.simulation.scenario.reader import setting_of
from lastseen.simulation.scenario.scenario import AgentSpec, Scenario
from lastseen.views.studio.protocol.messages import Run
from lastseen.views.studio.server.serve import bind, make_server
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.stage import Stage, stage_of_level, stage_of_setting
from lastseen.views.studio.session.studio import Studio

from .harness import Agreement, Comparison

PAGES, GUARDS, RATE = 20, 20, 30.0
SECONDS = 10.0
PICTURES = 150
LEAST = 50.0
"""Pictures a second."""
FILLED = 15_000
"""Cells with influence before pictures are counted."""
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
DRAWN = """async (count) => {
  const end = lastseenTest.pictures + count;
  while (lastseenTest.pictures < end) await new Promise((done) => requestAnimationFrame(done));
}"""
TURNED = """async (count) => {
  const map = document.querySelector("#map");
  const { left, top } = map.getBoundingClientRect();
  map.setPointerCapture = () => {};
  const send = (kind, x, y) =>
    map.dispatchEvent(new PointerEvent(kind, { pointerId: 1, button: 0, clientX: left + x, clientY: top + y }));
  const end = lastseenTest.space.pictures + count;
  send("pointerdown", 300, 60);
  for (let step = 1; lastseenTest.space.pictures < end; step++) {
    send("pointermove", 300 + 4 * step, 60 + 10 * Math.sin(step / 20));
    await new Promise((done) => requestAnimationFrame(done));
  }
  send("pointerup", 300, 60);
}"""
DUNGEON = Path(__file__).resolve().parents[2] / "shared" / "data" / "recast" / "dungeon.obj"
TOKEN = "a token for measuring only"


def crowded() -> Stage:
    """About 20,000 cells, twenty guards on patrol, and a player who stands at the door."""
    level = sample("complex")
    guards = [spawn for spawn in level.spawns if spawn.who == "guard"]
    agents = [
        AgentSpec(
            f"guard {number}", "guard", guards[number % len(guards)].xyz, None, guards[number % len(guards)].patrol
        )
        for number in range(GUARDS)
    ]
    door = next(spawn for spawn in level.spawns if spawn.who == "player")
    agents.append(AgentSpec("you", PUPPET, door.xyz))
    scenario = Scenario("complex", agents=tuple(agents), seconds=3600.0, search_seconds=3600.0, ends=())
    return stage_of_setting(setting_of(scenario, level=level), "complex")


async def watch(address: str) -> None:
    """Be twenty pages that show everything, each in its own connection."""

    async def one() -> None:
        async with connect(address, max_size=None, compression=None) as page:
            await page.send('{"type":"overlays","views":true,"layers":["search"]}')
            async for _ in page:
                pass

    await asyncio.gather(*(one() for _ in range(PAGES)))


@contextmanager
def served(stage: Stage) -> Iterator[tuple[Studio, str]]:
    """A studio and where it is, as host and token."""
    with TemporaryDirectory() as folder:
        listening = bind("127.0.0.1", 0)
        server, studio = make_server(lambda _: stage, Folder(folder), host="127.0.0.1", token=TOKEN)
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        serving.start()
        studio.ready.wait()
        try:
            yield studio, f"127.0.0.1:{listening.getsockname()[1]}/PAGE?token={TOKEN.replace(' ', '%20')}"
        finally:
            server.should_exit = True
            serving.join()
            listening.close()


@contextmanager
def watched(stage: Stage) -> Iterator[Studio]:
    """A studio that runs, with its pages in a process of their own."""
    with served(stage) as (studio, place):
        address = f"ws://{place.replace('PAGE', 'ws')}"
        program = f"import asyncio; from benchmarks.bench_studio import watch; asyncio.run(watch({address!r}))"
        pages = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL)
        while len(studio.hub.clients) < PAGES:
            time.sleep(0.05)
        studio.submit(0, Run())
        time.sleep(2.0)
        try:
            yield studio
        finally:
            pages.kill()
            pages.wait()


def browsed(until: ExitStack, place: str) -> Any:
    """A page of a studio in a browser without a screen."""
    from playwright.sync_api import sync_playwright

    browsers = until.enter_context(sync_playwright()).chromium
    path = next(filter(None, map(shutil.which, CHROMIUM)))
    browser = browsers.launch(executable_path=path, args=["--no-sandbox", "--headless=new", "--disable-gpu"])
    until.callback(browser.close)
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.add_init_script("localStorage.setItem('lastseen.tour', '[\"skipped\"]')")
    page.goto(f"http://{place.replace('PAGE', '')}")
    page.wait_for_function("() => window.lastseenTest?.agents.length > 0")
    return page


class Screen:
    """A page in a browser without a screen: the whole level, the search of twenty guards as heat over all of it."""

    def __init__(self, until: ExitStack):
        self._until = until
        self._page: Any = None

    def _open(self) -> None:
        studio, place = self._until.enter_context(served(crowded()))
        game = studio.director.game
        assert game.world is not None
        game.world.hunt.perceive(tuple(game.world.bodies.xyz[game.stage.player]), 0.0, sure=True)
        self._page = browsed(self._until, place)
        self._page.keyboard.press("f")
        studio.submit(0, Run())
        while (game.world.hunt.search.layer.values & 127 > 0).sum() < FILLED:
            time.sleep(0.1)

    def draw(self, number: int) -> None:  # noqa: ARG002
        """Wait until so many pictures more are drawn."""
        if self._page is None:
            self._open()
        self._page.evaluate(DRAWN, PICTURES)


class Space:
    """A 3D view of a dungeon, turned without a pause: its triangles, 20,000 coloured cells with frames, its navmesh."""

    def __init__(self, until: ExitStack):
        self._until = until
        self._page: Any = None

    def _open(self) -> None:
        level = Level.read(DUNGEON)
        agents = (AgentSpec("guard", "guard", (25.4, -3.8, 10.0)), AgentSpec("other", "guard", (16.1, 45.7, 10.0)))
        setting = setting_of(Scenario("dungeon", agents=agents, cell=0.3, seconds=3600.0), level=level)
        _, place = self._until.enter_context(served(stage_of_setting(setting, "dungeon")))
        self._page = browsed(self._until, place)
        for key in "29km":
            self._page.keyboard.press(key)
        self._page.select_option("select.layer", "height")
        self._page.wait_for_function("() => lastseenTest.space?.cells > 20000 && lastseenTest.space.faces > 0")
        self._page.wait_for_function("() => lastseenTest.space.triangles > 0")

    def turn(self, number: int) -> None:  # noqa: ARG002
        """Turn the view picture by picture."""
        if self._page is None:
            self._open()
        self._page.evaluate(TURNED, PICTURES)


def rate() -> float:
    """Steps a second while twenty pages watch."""
    with watched(crowded()) as studio:
        studio.late.clear()
        begun, worked = time.perf_counter(), time.process_time()
        time.sleep(SECONDS)
        steps = len(studio.late)
        passed, worked = time.perf_counter() - begun, time.process_time() - worked
        late = sorted(studio.late)
        print(
            f"  steps begin {1e3 * late[len(late) // 2]:.1f} ms late in the median, "
            f"{1e3 * late[-len(late) // 100]:.1f} in one of 100; "
            f"the studio works {1e3 * worked / steps:.1f} of {1e3 / RATE:.1f} ms a step",
            file=sys.stderr,
        )
        return steps / passed


@cache
def megabytes() -> tuple[float, float]:
    """Megabytes held after five minutes of steps and after ten, less the recording, whose length has its own bound."""
    with watched(stage_of_level(sample("warehouse"), "warehouse")) as studio:
        found = []
        for minutes in (5, 10):
            studio.submit(0, Run(speed=8.0))
            while studio.director.game.ticks < minutes * 60 * RATE:
                time.sleep(0.1)
            studio.submit(0, Run(running=False))
            recording = studio.director.game.recording
            assert isinstance(recording, GrowingRecording)
            gc.collect()
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            found.append((pages * resource.getpagesize() - recording.size) / 1e6)
        return found[0], found[1]


def comparisons() -> Iterable[Agreement | Comparison | str]:
    yield Agreement(
        f"studio: steps with {PAGES} pages, {GUARDS} guards, 20,000 cells",
        rate,
        lambda: RATE,
        0.02,
        "the clock",
        " a second",
    )
    if Path("/proc/self/statm").exists():
        yield Agreement(
            "studio: memory after ten minutes of steps, without the recording",
            lambda: megabytes()[1],
            lambda: megabytes()[0],
            0.05,
            "after five",
            " MB",
        )
    else:
        yield "studio: memory needs /proc to be measured"
    if not any(map(shutil.which, CHROMIUM)):
        yield "studio: pictures need Chromium to be drawn"
        return
    with ExitStack() as until:
        yield Comparison(
            f"studio: a picture in Chromium, {GUARDS} guards, 20,000 cells, heat over all of them",
            Screen(until).draw,
            None,
            1.0 / LEAST,
            items=PICTURES,
            rounds=5,
        )
    if not DUNGEON.exists():
        yield "studio: the 3D view is measured with dungeon.obj in ../shared/data/recast"
        return
    with ExitStack() as until:
        yield Comparison(
            "studio: a picture of the 3D view in Chromium, turned: dungeon.obj, 20,000 cells, navmesh",
            Space(until).turn,
            None,
            1.0 / LEAST,
            items=PICTURES,
            rounds=5,
        )
