"""`lastseen rules convert PATH… -o OUT`: the same rules in one YAML or JSON file."""

from __future__ import annotations

import click

from .options import output_option

__all__ = ["command"]


@click.command("convert", short_help="Write rules to one YAML or JSON file.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@output_option("The .yaml or .json file to write.")
def command(paths: tuple[str, ...], output: str) -> None:
    """Write all rules of files and folders to one file.

    Comments and notes (`about`) of rules and handlers are not carried over; actions that are text are written as `say`.

    \b
    lastseen rules convert my_rules/ -o all.yaml
    """
    from ...agents.rules.read import rule_files
    from ...agents.rules.write import write_rules
    from .outputs import check_output
    from .rules_source import rule_paths, rules_of

    path = check_output(output, *rule_files(*rule_paths(paths)))
    write_rules(rules_of(paths), path)
    click.echo(f"wrote {output}; check it: lastseen rules check {output}")
