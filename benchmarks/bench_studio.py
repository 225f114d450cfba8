"""Does the studio keep its clock while many pages watch, and its memory while time passes?"""

from __future__ import annotations

import asyncio
import gc
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.asyncio.client import connect

from lastseen.agents.brains.ready import PUPPET
from lastseen.level.samples import sample
from lastseen.simulation.recording.growing import GrowingRecording
from lastseen.simulation.scenario.read import setting_of
from lastseen.simulation.scenario.scenario import AgentSpec, Scenario
from lastseen.views.studio.folder import Folder
from lastseen.views.studio.messages import Run
from lastseen.views.studio.serve import bind, make_server
from lastseen.views.studio.stage import Stage, stage_of_level, stage_of_setting
from lastseen.views.studio.studio import Studio

from .harness import Agreement

PAGES, GUARDS, RATE = 20, 20, 30.0
SECONDS = 10.0
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
    scenario = Scenario("complex", agents=tuple(agents), seconds=3600.0, ends=())
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
def watched(stage: Stage) -> Iterator[Studio]:
    """A studio that runs, with its pages in a process of their own."""
    with TemporaryDirectory() as folder:
        listening = bind("127.0.0.1", 0)
        server, studio = make_server(stage, Folder(folder), host="127.0.0.1", token=TOKEN)
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        serving.start()
        address = f"ws://127.0.0.1:{listening.getsockname()[1]}/ws?token={TOKEN.replace(' ', '%20')}"
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
            server.should_exit = True
            serving.join()
            listening.close()


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
            f"the studio works {1e3 * worked / steps:.1f} of {1e3 / RATE:.1f} ms a step"
        )
        return steps / passed


@cache
def megabytes() -> tuple[float, float]:
    """Megabytes held after three minutes of steps and after six, less the recording, whose length has its own bound."""
    with watched(stage_of_level(sample("warehouse"), "warehouse")) as studio:
        found = []
        for minutes in (3, 6):
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


def comparisons() -> Iterable[Agreement | str]:
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
            "studio: memory after six minutes of steps, without the recording",
            lambda: megabytes()[1],
            lambda: megabytes()[0],
            0.05,
            "after three",
            " MB",
        )
    else:
        yield "studio: memory needs /proc to be measured"
