"""`lastseen warmup`: compile every kernel now, so that nothing waits for it later."""

from __future__ import annotations

import gc
import subprocess
import sys

import click

__all__ = ["command"]

_MOST_JOBS = 4
"""Processes beyond which most of them would wait for kernels that others compile."""


@click.command("warmup", short_help="Compile all kernels ahead.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes.  [all cores, at most 4]")
@click.option("--small", is_flag=True, help="Not for layouts of over 65,535 cells, which have kernels of their own.")
@click.option("--first", type=click.IntRange(0), default=0, hidden=True, help="Number of the rehearsal to begin with.")
def command(jobs: int | None, small: bool, first: int) -> None:
    """Compile all kernels ahead, a minute or two; they are kept on disk for every later run."""
    from .console import Stages

    gc.disable()  # the compiler makes millions of objects that live on, which the collector would look through
    click.echo("compiling kernels: a minute or two, unless they are kept already", err=True)
    with Stages(quiet=False) as stages:
        from ...reasoning.chase.batch import available_threads
        from .rehearsals import REHEARSALS
        from .rehearsed import note_rehearsed, rehearsed_names

        names = [name for name in REHEARSALS if not (small and "large" in name)]
        jobs = min(jobs or available_threads(), _MOST_JOBS, len(names))
        helpers = [_helper(number * len(names) // jobs, small) for number in range(1, jobs)]
        # From another one on each, in turns: what one process has rehearsed, the others need not.
        for number, name in enumerate([*names[first:], *names[:first]]):
            if name not in rehearsed_names():
                stages.run(f"compiling {name}", REHEARSALS[name])
                note_rehearsed(name)
            stages.progress(f"{number + 1} of {len(names)}", (number + 1) / len(names))
        for helper in helpers:
            helper.wait()
    click.echo(f"kernels are ready ({sum(stages.seconds.values()):.1f} s)")


def _helper(first: int, small: bool) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "lastseen", "warmup", "--jobs", "1", "--first", str(first), *["--small"] * small]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
