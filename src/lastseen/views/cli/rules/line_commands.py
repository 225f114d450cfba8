"""`lastseen rules ids`, `export` and `import`: ids of lines, and tables for translators and actors."""

from __future__ import annotations

from pathlib import Path

import click

from ....errors import InputError, did_you_mean
from ....files import atomic_write
from ..app.options import output_option
from ..app.outputs import check_output
from .rule_source import rule_paths

_TABLES = (".csv", ".po")


def _own_paths(paths: tuple[str, ...]) -> list[str]:
    """Return files and folders that may be changed."""
    from ....agents.rules.shipped_rules import SHIPPED_RULES

    ready = next((path for path in paths if path in SHIPPED_RULES and not Path(path).exists()), None)
    if ready is not None:
        raise InputError(f"{ready!r} are shipped rules, which stay as they are; convert them to a file of your own")
    return rule_paths(paths)


def _form(name: str) -> str:
    form = Path(name).suffix.lower()
    if form not in _TABLES:
        hint = did_you_mean(form, _TABLES)
        raise InputError(f"{name!r} has an unknown file extension{hint}; tables of lines are {' and '.join(_TABLES)}")
    return form


@click.command("ids", short_help="Give every line an id.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--language", metavar="CODE", help="Language of the lines.  [the first of the others, else en]")
def ids_command(paths: tuple[str, ...], language: str | None) -> None:
    """Give every line that is written in a rule an id and a place under `lines`, where it can be translated.

    The files are changed in place; comments and everything else stay. Ids never change afterwards.

    \b
    Examples:
      lastseen rules ids my_rules/
      lastseen rules ids barks.yaml --language de
    """
    from ....agents.rules.files.line_ids import give_ids

    counts = give_ids(*_own_paths(paths), language=language)
    for source, count in counts.items():
        click.echo(f"wrote {source}: {count} line{'' if count == 1 else 's'} got an id")
    if not counts:
        click.echo(f"{', '.join(paths)}: every line has an id")


@click.command("export", short_help="Write all lines to a CSV or PO file.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@output_option("File to write: .csv, or .po with --language.")
@click.option("--language", metavar="CODE", help="Language to translate into; CSV gets a column for it.")
@click.option("--from", "original", metavar="CODE", help="Language to translate from, in PO.  [the first of each line]")
def export_command(paths: tuple[str, ...], output: str, language: str | None, original: str | None) -> None:
    """Write all lines to a table for spreadsheets (CSV) or for the tools of translators (PO of gettext).

    CSV has one column per language, and the tags, weight, cooldown and note of each line; PO has one language.

    \b
    Examples:
      lastseen rules export my_rules/ -o lines.csv
      lastseen rules export my_rules/ -o lines.de.po --language de
    """
    from ....agents.rules.files.line_tables import lines_csv
    from ....agents.rules.files.po_text import lines_po
    from ....agents.rules.files.read import read_rules, rule_files

    homes, form = rule_paths(paths), _form(output)
    if form == ".po" and language is None:
        raise InputError("a PO file has one language; give it: --language de")
    if form == ".csv" and original is not None:
        raise InputError("--from is for PO files; a CSV file has all languages")
    place = check_output(output, *rule_files(*homes))
    database = read_rules(*homes)
    if form == ".po" and language is not None:
        text = lines_po(database, language, source_language=original)
    else:
        text = lines_csv(database, *([] if language is None else [language]))
    atomic_write(place, text.encode())
    click.echo(f"wrote {output}: {len(database.lines)} lines")


@click.command("import", short_help="Read lines from a CSV or PO file into rules.")
@click.argument("table", metavar="TABLE")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--language", metavar="CODE", help="Language of a PO file.  [that of its header]")
def import_command(table: str, paths: tuple[str, ...], language: str | None) -> None:
    """Put the texts and settings of an exported table into the rules, which are changed in place.

    Lines are found by their ids. Empty cells and untranslated entries change nothing; fuzzy entries, and those whose
    original has changed since, are passed over and listed. If anything is wrong, nothing is written.

    \b
    Examples:
      lastseen rules import lines.csv my_rules/
      lastseen rules import lines.de.po my_rules/
    """
    from ....agents.rules.files.line_tables import import_lines, read_csv
    from ....agents.rules.files.po_text import read_po
    from ....agents.rules.files.read import read_documents

    form = _form(table)
    if form == ".csv" and language is not None:
        raise InputError("--language is for PO files; a CSV file names the language of each column")
    database, documents = read_documents(*_own_paths(paths))
    text, passed = _read(table), list[str]()
    if form == ".po":
        changes, passed = read_po(text, database, language=language, source=table)
    else:
        changes = read_csv(text, database, source=table)
    count = import_lines(documents, database, changes, source=table)
    for one in passed:
        click.echo(f"passed over {one}", err=True)
    click.echo(f"{table}: {len(changes)} lines read, {count} changed")


def _read(name: str) -> str:
    try:
        # Line ends inside of cells stay as they are.
        return Path(name).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start} is not UTF-8; save the table as UTF-8") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{name}: cannot be read: {reason}; name an existing file") from None
