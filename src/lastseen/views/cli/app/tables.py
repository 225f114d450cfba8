"""Tables of results in text, Markdown and CSV, and the folder of a report."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ....estimates import Estimate
from ....files import atomic_write


def counted(count: int, what: str) -> str:
    """Return a count with its noun, in the plural unless it is 1."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def estimate_text(found: Estimate, *, share: bool, signed: bool = False) -> str:
    """Return an estimate with its interval; shares in per cent, their differences in percentage points."""
    scale, sign = (100.0 if share else 1.0), "+" if signed else ""
    ends = [scale * found.low, scale * found.high]
    within = f"{ends[0]:{sign}.1f} … {ends[1]:{sign}.1f}" if all(map(math.isfinite, ends)) else "too few samples"
    return f"{scale * found.value:{sign}.1f} ({within})"


def text_table(rows: Sequence[Sequence[str]], *, numbers: bool = False) -> list[str]:
    """Return the lines of a table in columns; with `numbers`, all but the first are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [
            word.rjust(width) if numbers and at else word.ljust(width)
            for at, (word, width) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; the first row is its heading."""
    lines = ["| " + " | ".join(word.replace("|", "\\|") for word in row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV, with a column for every name that occurs."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for row in rows for name in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def json_text(content: Any) -> str:
    """Return results as JSON."""
    return json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False)


def write_files(folder: Path, files: Mapping[str, bytes | str]) -> tuple[Path, ...]:
    """Write the files of a report, each whole or not at all; return them."""
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        atomic_write(folder / name, data.encode() if isinstance(data, str) else data)
    return tuple(folder / name for name in files)
