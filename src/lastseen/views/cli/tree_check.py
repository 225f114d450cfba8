"""`lastseen tree check FILE…`: report every fault of tree files and where it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from .tree_source import leaves_option

if TYPE_CHECKING:
    from ...agents.behaviour.files.definition import NodeSpec, TreeFault, TreeFile
    from ...agents.behaviour.registry import Registry

__all__ = ["command"]


@click.command("check", short_help="Print the faults of tree files.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@leaves_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], leaves: str | None, as_json: bool) -> None:
    """Print the faults of each FILE (YAML, JSON or BehaviorTree.CPP XML): line, node, fault and similar names.

    Builds every tree of a file. Exits with 0 if all are sound, else with 2.

    \b
    lastseen tree check my_guard.yaml
    lastseen tree check brains/*.yaml --leaves my_game.leaves:registry
    lastseen tree check robot.xml --leaves any
    """
    from .tree_source import registry_of

    registry, unknown = registry_of(leaves)
    found = [(file, *_checked(file, registry, unknown)) for file in files]
    count = sum(len(faults) for _, _, faults in found)
    if as_json:
        report = {"faults": count, "files": [_as_object(*each) for each in found]}
        click.echo(json.dumps(report, indent=2, allow_nan=False))
    else:
        for file, trees, faults in found:
            for fault in faults:
                click.echo(str(fault))
            if not faults:
                click.echo(
                    f"{file}: no faults ({', '.join(f'{name}: {nodes} nodes' for name, nodes in trees.items())})"
                )
    ctx.exit(2 if count else 0)


def _checked(file: str, registry: Registry, unknown: bool) -> tuple[dict[str, int], list[TreeFault]]:
    """Return the size of each sound tree, and each fault of the others once."""
    from ...agents.behaviour.files.build import build_tree
    from ...agents.behaviour.files.definition import TreeFault, TreeFileError
    from ...errors import LastSeenError
    from .tree_source import read_tree_source

    trees: dict[str, int] = {}
    faults: dict[tuple[int, str], TreeFault] = {}
    try:
        read = read_tree_source(file)
        for name in _outermost(read):
            try:
                trees[name] = len(build_tree(read, registry, name, unknown_leaves=unknown))
            except TreeFileError as error:
                faults |= {(fault.line, fault.what): fault for fault in error.faults}
    except TreeFileError as error:
        faults = {(fault.line, fault.what): fault for fault in error.faults}
    except LastSeenError as error:
        faults = {(0, ""): TreeFault(file, 0, "", str(error))}
    return trees, list(faults.values())


def _outermost(read: TreeFile) -> list[str]:
    """Return the trees that no other tree uses, the main one first; the others are built where they are used."""
    uses = {name: _used(tree.root) for name, tree in read.trees.items()}
    chosen: list[str] = []
    reached: set[str] = set()
    inner = set().union(*uses.values())
    for name in (read.main, *(name for name in uses if name not in inner), *uses):
        if name not in reached:
            chosen.append(name)
            waiting = [name]
            while waiting:
                found = waiting.pop()
                if found not in reached and found in uses:
                    reached.add(found)
                    waiting.extend(uses[found])
    return chosen


def _used(root: NodeSpec) -> set[str]:
    waiting, used = [root], set()
    while waiting:
        node = waiting.pop()
        if node.kind == "subtree":
            used.add(str(node.parameters.get("tree", node.parameters.get("", ""))))
        waiting.extend(node.children)
    return used


def _as_object(file: str, trees: dict[str, int], faults: list[TreeFault]) -> dict[str, Any]:
    return {
        "file": file,
        "trees": trees,
        "faults": [{"line": fault.line, "path": fault.path, "what": fault.what} for fault in faults],
    }
