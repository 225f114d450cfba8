"""The queries of tests/oracles/table.py against their slow, obvious versions, on larger questions than tests ask."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .harness import Comparison

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from oracles.table import ROWS, Row


def comparisons() -> Iterator[Comparison]:
    for row in ROWS:
        yield _comparison(row)


def _comparison(row: Row) -> Comparison:
    questions = [row.make(row.large, np.random.default_rng(seed)) for seed in range(3)]
    return Comparison(
        f"oracle: {row.name}",
        lambda number: row.fast(*questions[number % 3]),
        lambda number: row.slow(*questions[number % 3]),
        row.at_most,
        "the slow version",
        rounds=5,
    )
