"""Every query of the table answers as its slow version does."""

from __future__ import annotations

import numpy as np
import pytest

from oracles.table import ROWS, Row


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_fast_answers_equal_slow_ones(row: Row, seed: int) -> None:
    question = row.make(row.small, np.random.default_rng(seed))
    assert row.fast(*question) == row.slow(*question)
