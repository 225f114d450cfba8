"""`lastseen sweep …`: run an evaluation over many parameters, levels and seeds."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import did_you_mean
from .main import LazyGroup

__all__ = ["command"]


class _Sweeps(LazyGroup):
    """A group with a default command: `lastseen sweep FILE` runs the file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default command if none is named."""
        first = args[0] if args else "--help"
        if first in self.homes or first in ctx.help_option_names:
            return super().parse_args(ctx, args)
        if not first.startswith("-") and not Path(first).suffix and not Path(first).exists():
            hint = did_you_mean(first, self.homes)
            ctx.fail(f"{first!r} is neither a sweep file nor one of {', '.join(self.homes)}{hint}")
        return super().parse_args(ctx, ["run", *args])


command = _Sweeps(
    name="sweep",
    homes={"run": "sweep_run", "report": "sweep_report", "schema": "sweep_schema"},
    help="""Run an evaluation over many parameters, levels and seeds, as a sweep file describes.

    \b
    lastseen sweep sweep.toml -o results         run it on all cores of this machine
    lastseen sweep sweep.toml -o results         run it again: only what is missing
    lastseen sweep report results                tables and charts
    lastseen sweep schema -o sweep.schema.json   a schema for editors
""",
)
