"""`lastseen sweep report DIR`: write tables and charts of a sweep's results."""

from __future__ import annotations

import json
from pathlib import Path

import click

__all__ = ["command"]


@click.command("report", short_help="Write tables and charts of a sweep's results.")
@click.argument("results", metavar="DIR")
@click.option("-o", "--output", metavar="DIR", help="Folder for the report.  [DIR/report]")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON; write a report only with -o.")
def command(results: str, output: str | None, as_json: bool) -> None:
    """Draw each measure over each swept parameter, with 95 % intervals, from the results in DIR.

    Writes a standalone report.html, the same as report.md with pictures, and results.json. Unfinished sweeps can be
    reported too.

    \b
    lastseen sweep report results
    lastseen sweep report results -o report --json
    """
    from ...simulation.experiments.sweeps.summary import summarise_sweep
    from .outputs import check_folder
    from .sweep_pages import write_report
    from .sweep_words import as_words

    summary = summarise_sweep(results)
    written: tuple[Path, ...] = ()
    folder = Path(results) / "report" if output is None else Path(output)
    if output is not None or not as_json:
        written = write_report(check_folder(str(folder), "a report"), summary)
    if as_json:
        click.echo(json.dumps(summary.as_object(), indent=2, allow_nan=False, ensure_ascii=False))
        return
    click.echo(as_words(summary))
    click.echo(f"wrote {len(written)} files to {folder}; start with {folder / 'report.html'}")
