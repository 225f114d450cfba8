"""`lastseen rules convert PATH… -o OUT`: the same rules in one YAML, TOML or JSON file."""

from __future__ import annotations

import click

from .options import output_option

__all__ = ["command"]


@click.command("convert", short_help="Write rules to one YAML, TOML or JSON file.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@output_option("The .yaml, .toml or .json file to write.")
def command(paths: tuple[str, ...], output: str) -> None:
    """Write all that files and folders of rules hold to one file, notes (`about`) included, comments not.

    \b
    lastseen rules convert my_rules/ -o all.yaml
    lastseen rules convert all.toml -o all.yaml
    """
    from ...agents.rules.convert import convert_rules
    from ...agents.rules.read import rule_files
    from .outputs import check_output
    from .rules_source import rule_paths

    homes = rule_paths(paths)
    convert_rules(homes, check_output(output, *rule_files(*homes)))
    click.echo(f"wrote {output}; check it: lastseen rules check {output}")
