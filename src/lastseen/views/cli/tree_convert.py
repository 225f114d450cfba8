"""`lastseen tree convert FILE -o OUT`: write trees as YAML or JSON."""

from __future__ import annotations

import click

from .options import output_option

__all__ = ["command"]


@click.command("convert", short_help="Write trees as YAML or JSON.")
@click.argument("file", metavar="FILE")
@output_option("File to write: .yaml or .json.")
def command(file: str, output: str) -> None:
    """Write the trees of FILE (BehaviorTree.CPP XML and built-in brains too) as YAML or JSON.

    \b
    lastseen tree convert robot.xml -o robot.yaml
    lastseen tree convert guard -o my_guard.yaml
    """
    from ...agents.behaviour.files.write import write_trees
    from ...agents.brains.shipped_brains import BRAINS, brain_text
    from ...files import atomic_write
    from .outputs import check_output
    from .tree_source import read_tree_source

    path = check_output(output, file)
    read = read_tree_source(file)
    if file in BRAINS and read.source == f"{file}.yaml" and path.suffix.lower() in (".yaml", ".yml"):
        atomic_write(path, brain_text(file).encode())  # with its comments
    else:
        write_trees(read, path)
    click.echo(f"wrote {output}; check it: lastseen tree check {output}")
