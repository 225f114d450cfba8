"""A program that waits for the compiler says so once, then how far it is: often on a terminal, seldom in a log."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lastseen.kernels.first_use import FirstUse

NOTICE = (
    "lastseen: compiling kernels, on first use only: minutes for a game; `lastseen warmup` does it ahead, on all cores"
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def compiled(notice: FirstUse, clock: Clock, *seconds: float) -> None:
    for one in seconds:
        notice.begin()
        clock.now += one
        notice.end("kernel")
        clock.now += 100.0  # the program's own time does not count


@pytest.mark.parametrize("is_terminal", [False, True])
def test_it_is_said_after_a_second_and_counted_often_on_a_terminal(monkeypatch, caplog, is_terminal):
    clock = Clock()
    notice = FirstUse(clock)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    compiled(notice, clock, 0.4, 0.4)
    assert caplog.messages == []
    compiled(notice, clock, *[0.4] * 30)
    first, *more = caplog.messages
    assert first == NOTICE
    assert more == (["lastseen: 16 kernels compiled in 6 s", "lastseen: 29 kernels compiled in 12 s"] * is_terminal)
    del caplog.records[:]
    compiled(notice, clock, *[10.0] * 12)
    counts = [int(text.split()[1]) for text in caplog.messages]
    assert counts == (list(range(33, 45)) if is_terminal else [37, 44])


def test_commands_say_nothing_and_a_game_without_stderr_goes_on(monkeypatch, caplog):
    clock = Clock()
    notice = FirstUse(clock)
    with notice.silenced():
        compiled(notice, clock, 3.0)
    assert caplog.messages == []
    monkeypatch.setattr(sys, "stderr", None)
    compiled(notice, clock, 3.0, 9.0)
    assert len(caplog.messages) == 1


def test_a_cold_first_call_of_a_program_is_announced_on_stderr(tmp_path):
    program = """
from lastseen.kernels import first_use
first_use.first_use._next = first_use._PATIENCE = 0.0
import lastseen as ls
ls.NavMesh.from_level(ls.Level.sample("rooms"))
"""
    where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "LASTSEEN_SHIPPED_KERNELS": "off"}
    done = subprocess.run([sys.executable, "-c", program], env=where, capture_output=True, text=True, check=True)
    assert done.stdout == ""
    assert done.stderr == NOTICE + "\n"
