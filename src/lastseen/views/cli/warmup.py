"""`lastseen warmup`: compile every kernel now, so that nothing waits for it later."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("warmup")
def command() -> None:
    """Compile all kernels ahead; they are kept on disk for every later run."""
    from .console import Stages
    from .kernels_used import REHEARSALS

    with Stages(quiet=False) as stages:
        for number, (name, rehearse) in enumerate(REHEARSALS.items()):
            stages.run(f"compiling {name}", rehearse)
            stages.progress(f"{number + 1} of {len(REHEARSALS)}", (number + 1) / len(REHEARSALS))
    seconds = sum(stages.seconds.values())
    click.echo(f"kernels are ready ({seconds:.1f} s)")
