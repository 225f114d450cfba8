"""`lastseen tree show FILE`: print a tree."""

from __future__ import annotations

import click

from .tree_source import leaves_option

__all__ = ["command"]


@click.command("show", short_help="Print a tree.")
@click.argument("file", metavar="FILE")
@click.option("--tree", default="", metavar="NAME", help="Tree of the file; the main one if not given.")
@click.option("--keys", is_flag=True, help="Also list its blackboard keys with their types.")
@leaves_option
def command(file: str, tree: str, keys: bool, leaves: str | None) -> None:
    """Print a tree of FILE (or of a built-in brain: guard, civilian …) with its subtrees, one node per line.

    \b
    lastseen tree show guard
    lastseen tree show my_guard.yaml --tree search --keys
    lastseen tree show robot.xml --leaves any
    """
    from ...agents.behaviour.files.build import build_tree
    from ...agents.behaviour.keys import type_name
    from .tree_source import read_tree_source, registry_of

    registry, unknown = registry_of(leaves)
    built = build_tree(read_tree_source(file), registry, tree, unknown_leaves=unknown)
    click.echo(built.as_text(live=False))
    if keys:
        click.echo("\nkeys:" if built.keys else "\nno keys")
        for name, type_ in built.keys.items():
            click.echo(f"  {name}: {type_name(type_)}")
