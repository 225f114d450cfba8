"""`lastseen rules convert PATH… -o OUT`: write rules to one YAML, TOML or JSON file."""

from __future__ import annotations

import click

from .options import output_option

__all__ = ["command"]


@click.command("convert", short_help="Write rules to one YAML, TOML or JSON file.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@output_option("File to write: .yaml, .toml or .json.")
def command(paths: tuple[str, ...], output: str) -> None:
    """Write all rules in files and folders to one file, including notes (`about`) but not comments.

    \b
    lastseen rules convert my_rules/ -o all.yaml
    lastseen rules convert all.toml -o all.yaml
    """
    from ...agents.rules.files.convert import convert_rules
    from ...agents.rules.files.read import rule_files
    from .outputs import check_output
    from .rules_source import rule_paths

    homes = rule_paths(paths)
    convert_rules(homes, check_output(output, *rule_files(*homes)))
    click.echo(f"wrote {output}; check it: lastseen rules check {output}")
