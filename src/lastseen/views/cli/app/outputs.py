"""What commands write: paths checked before the work starts, JSON, text or files, and lines that name them."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ....errors import InputError
from ....files import atomic_write

_KINDS = {"html": "page"}


def check_output(output: str, *inputs: str) -> Path:
    """Return the path to write to; raise if it is a folder, lies in a missing folder or is an input itself."""
    if not output or "\0" in output:
        raise InputError(f"cannot write to {output!r}; name a file")
    path = Path(output)
    folder = path.parent
    if path.is_dir():
        raise InputError(f"cannot write {output!r}: it is a folder; name a file in it")
    if not folder.is_dir():
        raise InputError(f"cannot write {output!r}: there is no folder {str(folder)!r}; create it first")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise InputError(f"cannot write {output!r}: no permission; choose a folder you can write to")
    for given in inputs:
        if path.exists() and Path(given).exists() and path.samefile(given):
            raise InputError(f"{output!r} is an input and would be overwritten; choose another name for the output")
    return path


def check_folder(folder: str, what: str) -> Path:
    """Return the folder to write `what` into, which may not exist yet; raise if nothing can be written there.

    A missing folder is created and removed again to find out, so that a command that fails later leaves nothing
    behind.
    """
    if not folder or "\0" in folder:
        raise InputError(f"cannot write {what} to {folder!r}; name a folder")
    path, made = Path(folder), False
    try:
        if path.exists() and not path.is_dir():
            raise InputError(f"cannot write {what} to {folder!r}: it is a file; name a folder")
        if not path.absolute().parent.is_dir():
            missing = str(path.absolute().parent)
            raise InputError(f"cannot write {what} to {folder!r}: there is no folder {missing!r}; create it first")
        if not path.exists():
            path.mkdir()
            made = True
        tempfile.TemporaryFile(dir=path).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot write {what} to {folder!r}: {reason}; choose a folder you can write to") from None
    finally:
        if made:
            path.rmdir()
    return path


def check_picture(output: str, *inputs: str, kind: str = "png") -> Path:
    """Return the path to write a picture or page to; raise if its extension names another format than `kind`."""
    path = check_output(output, *inputs)
    if path.suffix and path.suffix.lower() != f".{kind}":
        what = "pictures are PNG" if kind == "png" else f"this {_KINDS.get(kind, 'picture')} is {kind.upper()}"
        raise InputError(f"cannot write {output!r}: {what}; name it {str(path.with_suffix(f'.{kind}'))!r}")
    return path


def require_picture(given: Mapping[str, Any], options: str, *, is_drawn: bool) -> None:
    """Raise if --scale or --storey is given although nothing is drawn; `options` draw something."""
    if not is_drawn and (given["scale"] is not None or given["storey"] is not None):
        what = "a picture" if options == "--png FILE" else "pictures"
        raise click.UsageError(f"--scale and --storey need {what} to apply to; give {options} too")


def echo_json(content: Any) -> None:
    """Print a result as one JSON object."""
    click.echo(json.dumps(content, indent=2, allow_nan=False))


def echo_report(written: Sequence[Path], folder: str | None, start: str = "report.md") -> None:
    """Print how many files a report has and which to open first, if one was written."""
    if written:
        click.echo(f"wrote {len(written)} files to {folder}; start with {Path(str(folder)) / start}")


def write_or_print(text: str, output: str | None) -> None:
    """Write text to a file, or print it if none is given."""
    if output is None:
        click.echo(text)
        return
    atomic_write(check_output(output), f"{text}\n".encode())
    click.echo(f"wrote {output}")
