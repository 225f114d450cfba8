"""`lastseen warmup`: compile kernels now, so that nothing waits for the compiler later."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from ....errors import InputError

if TYPE_CHECKING:
    from ....compilation.progress import CompileProgress
    from ....compilation.warmup import WarmupReport
    from .console import Stages


@click.command("warmup", short_help="Compile kernels ahead of time.")
@click.argument("purposes", nargs=-1, metavar="[PURPOSE]...")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes.  [all cores]")
@click.option("--small", is_flag=True, help="Leave out layouts of more than 65,535 cells, which use other kernels.")
@click.option("--list", "list_them", is_flag=True, help="List the purposes and whether their kernels are compiled.")
@click.option("--timing", is_flag=True, help="Print a table of CPU time per kernel.")
@click.option("--fresh", is_flag=True, help="Compile in an empty folder that is removed afterwards; use with --timing.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    purposes: tuple[str, ...], jobs: int | None, small: bool, list_them: bool, timing: bool, fresh: bool, as_json: bool
) -> None:
    """Compile the kernels of PURPOSE (all if none is given) ahead of time, which takes a minute or two. They are
    kept on disk for every later run.

    \b
    Examples:
      lastseen warmup
      lastseen warmup play
      lastseen warmup chase --fresh --timing
    """
    from ....compilation import warmup as compilation
    from .console import Stages

    if list_them:
        _list(purposes, as_json)
        return
    if not purposes and small:
        purposes = tuple(name for name in compilation.purposes() if name != "large")
    with Stages(quiet=False) as stages, _empty_folder() if fresh else nullcontext():
        report = stages.run("compiling", compilation.warmup, *purposes, jobs=jobs, progress=_shown_by(stages))
    if not report.can_keep:
        from ....kernels.store import cache_folder

        raise InputError(
            f"compiled kernels cannot be kept: {cache_folder()} cannot be written; make it writable, or name another "
            "folder in NUMBA_CACHE_DIR"
        )
    if as_json:
        click.echo(json.dumps(_as_json(report)))
    elif timing:
        _print_table(report)
    for kernel, error in report.failed.items():
        click.echo(f"{kernel} could not be compiled ahead: {error}", err=True)
    if report.failed:
        click.get_current_context().exit(1)
    if not as_json:
        done = f"{len(report.compiled)} compiled in {report.seconds:.1f} s" if report.compiled else "nothing to compile"
        click.echo(f"kernels are ready: {done}")


def _list(names: tuple[str, ...], as_json: bool) -> None:
    """Print purposes and whether their kernels are compiled."""
    from ....compilation.warmup import checked_purposes, is_ready, purposes

    rows = {name: (title, is_ready(name)) for name, title in purposes().items() if name in checked_purposes(names)}
    if as_json:
        click.echo(json.dumps([{"purpose": name, "title": title, "ready": ok} for name, (title, ok) in rows.items()]))
        return
    for name, (title, ok) in rows.items():
        click.echo(f"{name:<10} {title}{'  (ready)' if ok else ''}")


@contextmanager
def _empty_folder() -> Iterator[None]:
    """Compile into a temporary folder within the block. Kernel modules must not be loaded yet."""
    with TemporaryDirectory() as folder:
        before = dict(os.environ)
        os.environ.update({"NUMBA_CACHE_DIR": folder, "LASTSEEN_SHIPPED_KERNELS": "off"})
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def _shown_by(stages: Stages) -> Callable[[CompileProgress], None]:
    """Show progress on the bar, or as an occasional line without one."""

    def show(now: CompileProgress) -> None:
        stages.say_compiling(now)
        stages.progress(now.words(), now.done / (now.total or 1))

    return show


def _print_table(report: WarmupReport) -> None:
    """Print the kernels by the CPU time of compiling them, the slowest first."""
    total = sum(report.compiled.values())
    rows: dict[str, list[float]] = {}
    for (kernel, _), seconds in report.compiled.items():
        rows.setdefault(kernel, []).append(seconds)
    click.echo("  CPU s  share  types  kernel")
    for kernel, times in sorted(rows.items(), key=lambda row: -sum(row[1])):
        click.echo(f"{sum(times):7.2f} {sum(times) / total:6.1%} {len(times):6}  {kernel}")
    click.echo(f"{total:7.2f} {len(report.compiled):14}  in all; at most {report.most_megabytes:.0f} MB per process")


def _as_json(report: WarmupReport) -> dict[str, object]:
    return {
        "compile_seconds": round(report.seconds, 6),
        "compiled_kernels": len(report.compiled),
        "kernel_seconds": round(sum(report.compiled.values()), 3),
        "most_megabytes": round(report.most_megabytes, 1),
        "kernels": [{"kernel": kernel, "seconds": round(s, 3)} for (kernel, _), s in report.compiled.items()],
        "failed": report.failed,
    }
