"""`lastseen tree …`: check, print and convert behaviour trees, and print their schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....errors import InputError
from ....extensions import is_module_name
from ..app.main import LazyGroup
from ..app.options import json_option, output_option
from ..app.outputs import check_output, echo_json, write_or_print

if TYPE_CHECKING:
    from ....agents.behaviour.files.definition import TreeFault, TreeFile
    from ....agents.behaviour.registry import Registry


ANY, CREWS = "any", "crews"

leaves_option = click.option(
    "--leaves",
    metavar="MODULE:NAME",
    help="Your own registry or a function that returns one, used next to the shipped leaves unless it names one of "
    "them itself; 'crews' for the leaves of crew trees; 'any' accepts every leaf.  [leaves of the shipped brains]",
)


def read_tree_source(source: str) -> TreeFile:
    """Return the trees of a file, of a shipped brain by name, or of a shipped crew by objective."""
    from ....agents.behaviour.files.read import read_trees
    from ....agents.brains.shipped_brains import BRAINS, shipped_brain
    from ....agents.crews.crew_trees import shipped_crew_trees, shipped_crews

    if source in BRAINS and not Path(source).exists():
        return shipped_brain(source)
    if source in shipped_crews() and not Path(source).exists():
        return shipped_crew_trees()[source]
    return read_trees(source)


def registry_of(leaves: str | None) -> tuple[Registry, bool]:
    """Return the leaves trees may use, and whether unknown leaves are accepted."""
    from ....agents.behaviour.registry import Registry
    from ....agents.brains.leaves.registry import brain_leaves, joined_leaves, own_registry

    if leaves is None:
        return brain_leaves(), False
    if leaves == CREWS:
        from ....agents.crews.crew_trees import crew_leaves

        return crew_leaves(), False
    if leaves == ANY:
        return Registry(), True
    if not is_module_name(leaves):
        raise InputError(f"--leaves is {leaves!r}; give MODULE:NAME, such as my_game.leaves:registry, 'crews' or 'any'")
    own, shipped = own_registry(leaves), brain_leaves()
    if any(name in shipped.leaves for name in own.leaves):  # for trees of another program, or shipped ones included
        return own, False
    return joined_leaves(own, shipped), False


@click.command("check", short_help="Print the faults of tree files.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@leaves_option
@json_option
@click.pass_context
def check_command(ctx: click.Context, files: tuple[str, ...], leaves: str | None, as_json: bool) -> None:
    """Print the faults of each FILE (YAML, JSON or BehaviorTree.CPP XML): line, node, fault and similar names.

    Builds every tree of a file. Exits with 0 if all are sound (warnings do not count), else with 2.

    \b
    Examples:
      lastseen tree check my_guard.yaml
      lastseen tree check brains/*.yaml --leaves my_game.leaves:registry
      lastseen tree check robot.xml --leaves any
    """
    registry, unknown = registry_of(leaves)
    found = [(file, *_checked(file, registry, unknown)) for file in files]
    count = sum(len(faults) for _, _, faults, _ in found)
    if as_json:
        echo_json({"faults": count, "files": [_as_object(*each) for each in found]})
    else:
        for file, trees, faults, warnings in found:
            for warning in warnings:
                click.echo(f"warning: {warning}")
            for fault in faults:
                click.echo(str(fault))
            if not faults:
                click.echo(
                    f"{file}: no faults ({', '.join(f'{name}: {nodes} nodes' for name, nodes in trees.items())})"
                )
    ctx.exit(2 if count else 0)


def _checked(
    file: str, registry: Registry, unknown: bool
) -> tuple[dict[str, int], Sequence[TreeFault], Sequence[TreeFault]]:
    """Return the size of each sound tree, the faults of the others, and all warnings."""
    from ....agents.behaviour.files.build import check_trees
    from ....agents.behaviour.files.definition import TreeFault, TreeFileError
    from ....errors import LastSeenError

    try:
        report = check_trees(read_tree_source(file), registry, unknown_leaves=unknown)
    except TreeFileError as error:
        rest = () if error.rest is None else check_trees(error.rest, registry, unknown_leaves=unknown).faults
        return {}, sorted(dict.fromkeys([*error.faults, *rest]), key=lambda fault: (fault.source, fault.line)), ()
    except LastSeenError as error:
        return {}, (TreeFault(file, 0, "", str(error)),), ()
    return report.sizes, report.faults, report.warnings


def _as_object(
    file: str, trees: dict[str, int], faults: Sequence[TreeFault], warnings: Sequence[TreeFault]
) -> dict[str, Any]:
    def plain(found: Sequence[TreeFault]) -> list[dict[str, Any]]:
        return [{"line": fault.line, "path": fault.path, "what": fault.what} for fault in found]

    return {"file": file, "trees": trees, "faults": plain(faults), "warnings": plain(warnings)}


@click.command("show", short_help="Print a tree.")
@click.argument("file", metavar="FILE")
@click.option("--tree", default="", metavar="NAME", help="Tree of the file; the main one if not given.")
@click.option("--keys", is_flag=True, help="Also list its blackboard keys with their types.")
@leaves_option
def show_command(file: str, tree: str, keys: bool, leaves: str | None) -> None:
    """Print a tree of FILE (or of a shipped brain: guard, civilian …) with its subtrees, one node per line.

    \b
    Examples:
      lastseen tree show guard
      lastseen tree show my_guard.yaml --tree search --keys
      lastseen tree show robot.xml --leaves any
    """
    from ....agents.behaviour.files.build import build_tree
    from ....agents.behaviour.keys import type_name

    registry, unknown = registry_of(leaves)
    built = build_tree(read_tree_source(file), registry, tree, unknown_leaves=unknown)
    click.echo(built.as_text(live=False))
    if keys:
        click.echo("\nkeys:" if built.keys else "\nno keys")
        for name, type_ in built.keys.items():
            click.echo(f"  {name}: {type_name(type_)}")


@click.command("convert", short_help="Write trees as YAML or JSON.")
@click.argument("file", metavar="FILE")
@output_option("File to write: .yaml or .json.")
def convert_command(file: str, output: str) -> None:
    """Write the trees of FILE (BehaviorTree.CPP XML and shipped brains too) as YAML or JSON.

    \b
    Examples:
      lastseen tree convert robot.xml -o robot.yaml
      lastseen tree convert guard -o my_guard.yaml
    """
    from ....agents.behaviour.files.write import write_trees
    from ....agents.brains.shipped_brains import BRAINS, brain_text
    from ....files import atomic_write

    path = check_output(output, file)
    read = read_tree_source(file)
    if file in BRAINS and read.source == f"{file}.yaml" and path.suffix.lower() in (".yaml", ".yml"):
        atomic_write(path, brain_text(file).encode())  # with its comments
    else:
        write_trees(read, path)
    click.echo(f"wrote {output}; check it: lastseen tree check {output}")


@click.command("schema", short_help="Print the JSON Schema of tree files.")
@leaves_option
@output_option("File to write; printed if not given.", required=False)
def schema_command(leaves: str | None, output: str | None) -> None:
    """Print the JSON Schema of tree files, with all nodes, leaves and parameters.

    An editor that uses the schema completes names and marks faults as you type. In YAML, refer to it on the first line:
    "# yaml-language-server: $schema=tree.schema.json".

    \b
    Examples:
      lastseen tree schema -o tree.schema.json
    """
    from ....agents.behaviour.files.schema import tree_schema

    text = json.dumps(tree_schema(registry_of(leaves)[0]), indent=2, ensure_ascii=False)
    write_or_print(text, output)


command = LazyGroup(
    name="tree",
    homes={
        "check": "trees.tree_commands:check_command",
        "show": "trees.tree_commands:show_command",
        "convert": "trees.tree_commands:convert_command",
        "schema": "trees.tree_commands:schema_command",
    },
    help="Check, print and convert behaviour trees.",
)
