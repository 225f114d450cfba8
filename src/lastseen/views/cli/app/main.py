"""The `lastseen` command: dispatch to the commands and turn errors into messages and exit codes.

0: done; 1: broken pipe; 2: wrong input or arguments, with a message; 130: stopped with Ctrl-C. Anything else is a bug
and keeps its traceback.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import MutableMapping, Sequence
from typing import Any

import click

from .... import __version__
from ....compilation.preparation import kernels_on_demand
from ....errors import InputError, LastSeenError, did_you_mean
from ....extensions import extension, extension_names
from ....kernels.first_use import first_use

INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group whose commands are imported when needed.

    `homes` says where: the module below `lastseen.views.cli`, and after a colon the command in it if not `command`.
    """

    def __init__(self, *args: Any, homes: MutableMapping[str, str], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.homes = homes

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the commands in the order a new user needs them."""
        return list(self.homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return one command."""
        if cmd_name not in self.homes:
            return None
        module, _, name = self.homes[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(f"..{module}", __package__), name or "command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, suggesting a close name for an unknown one."""
        if args and args[0] not in self.homes and not args[0].startswith("-"):
            known = self.list_commands(ctx)  # may look at other packages
            if args[0] not in known:
                ctx.fail(f"no command {args[0]!r}{did_you_mean(args[0], known)}; there are {', '.join(known)}")
        return super().resolve_command(ctx, args)


class Program(LazyGroup):
    """The outermost group, which has the commands of other packages too and handles all errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the shipped commands, then those of other packages."""
        return list(dict.fromkeys((*super().list_commands(ctx), *extension_names("commands"))))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command; if it cannot be loaded, the list and the command say so."""
        if cmd_name in self.homes or cmd_name not in extension_names("commands"):
            return super().get_command(ctx, cmd_name)
        try:
            command = extension("commands", cmd_name)
            if not isinstance(command, click.Command):
                raise InputError(
                    f"{cmd_name!r} (lastseen.commands) is a {type(command).__name__}; name a click command"
                )
        except InputError as error:
            return _Broken(cmd_name, error)
        return command

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        """Run a command line and exit with its code."""
        extra["standalone_mode"] = False
        try:
            with first_use.silenced(), kernels_on_demand():  # commands compile ahead what they need, and show it
                code = super().main(args, prog_name or "lastseen", **extra)
        except LastSeenError as error:
            code = _print_error(str(error))
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            code = error.exit_code
        except click.ClickException as error:
            error.show()
            code = 2
        except (click.Abort, KeyboardInterrupt):
            click.echo("stopped", err=True)
            code = INTERRUPTED
        sys.exit(code if isinstance(code, int) else 0)


class _Broken(click.Command):
    """A command of another package that cannot be loaded; it raises the reason when it is used."""

    def __init__(self, name: str, error: InputError):
        super().__init__(name, short_help="(cannot be loaded)")
        self._error = error

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:  # noqa: ARG002 - click's signature
        raise self._error


def _print_error(message: str) -> int:
    click.echo(f"error: {message}", err=True)
    return 2


cli = Program(
    name="lastseen",
    homes={
        "play": "run.play",
        "level": "level.level_commands",
        "bake": "level.bake",
        "show": "level.show",
        "chase": "chase.chase",
        "locate": "level.locate",
        "guards": "guards.guards_commands",
        "tree": "trees.tree_commands",
        "rules": "rules.rule_commands",
        "run": "run.run",
        "replay": "run.replay",
        "why": "run.why",
        "evaluate": "experiments.evaluate_commands",
        "sweep": "experiments.sweep_commands",
        "warmup": "app.warmup",
    },
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="""Stealth-AI toolkit: turns a level into cells that AI code can reason about.

\b
Start here:
  lastseen play                          sneak through a sample level in the browser
  lastseen level list                    list the sample levels
  lastseen level check my.geojson        report every fault of a level file
  lastseen bake my.geojson -o my.cells   bake it into walkable cells
  lastseen show my.cells -o my.png       draw them
  lastseen chase warehouse --seen 9.5,8.5 --heading 1,0 --png chase.png   predict where a lost target ran
  lastseen run warehouse -o run.rec      simulate guards, print and record what happens
  lastseen replay run.rec --gif run.gif  replay it as an animation
  lastseen locate warehouse --query panic --from 9.5,8.5 --place threats=14.5,8.5   pick a place to flee to
  lastseen guards place my.geojson --path path.geojson --guards 4 -o guards.geojson   place guards
""",
)
cli = click.version_option(__version__, prog_name="lastseen", message="%(prog)s %(version)s")(cli)
