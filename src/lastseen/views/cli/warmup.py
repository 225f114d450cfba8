"""`lastseen warmup`: compile every kernel now, so that nothing waits for it later."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("warmup", short_help="Compile all kernels ahead.")
def command() -> None:
    """Compile all kernels ahead, a minute or two; they are kept on disk for every later run."""
    from .console import Stages

    click.echo("compiling kernels: a minute or two, unless they are kept already", err=True)
    with Stages(quiet=False) as stages:
        from .rehearsals import REHEARSALS
        from .rehearsed import note_rehearsed

        for number, (name, rehearse) in enumerate(REHEARSALS.items()):
            stages.run(f"compiling {name}", rehearse)
            note_rehearsed(name)
            stages.progress(f"{number + 1} of {len(REHEARSALS)}", (number + 1) / len(REHEARSALS))
    click.echo(f"kernels are ready ({sum(stages.seconds.values()):.1f} s)")
