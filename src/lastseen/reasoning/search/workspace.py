"""Work arrays of a search map: made once, put back by touched lists."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ...kernels.search_clean import LINES, Lines
from ...kernels.search_wave import WaveArrays
from ..chase.layouts import MeshedLayout

__all__ = ["line_arrays", "wave_arrays"]


def wave_arrays(cells: MeshedLayout, values: Array) -> WaveArrays:
    """Return the arrays of a wave at rest, over the int8 values of a layer."""
    count = len(values)
    length = cells.arrays.link_length
    longest = float(length.max(initial=0.0)) or 1.0
    # Narrower than the shortest link, so that no cell of a bucket brings the wave to another of the same.
    width = min(0.999 * float(length.min(initial=longest)), longest / 16.0)
    turn = 1 << int(longest / width + 4.0).bit_length()
    return WaveArrays(
        byte=values.view(np.uint8),
        state=np.zeros(count, np.uint8),
        due=np.full(count, np.inf),
        wave=np.zeros(count, np.uint32),
        strength=np.zeros(count, np.float32),
        source=np.zeros(count, np.uint32),
        following=np.zeros(count, np.uint32),
        previous=np.zeros(count, np.uint32),
        bucket=np.zeros(turn, np.uint32),
        touched=np.zeros(count, np.uint32),
        regrowing=np.zeros(count, np.uint32),
        cleaned=np.zeros(count, np.uint32),
        # Steps are counted from 2, so that no cell was cleaned in the step before the first.
        count=np.array([0, 0, 0, 0, 0, 2], np.int64),
        width=np.array([width, 1.0 / width]),
    )


def line_arrays() -> Lines:
    """Return room for lines on the mesh."""
    return Lines(
        cell=np.zeros(LINES, np.uint32),
        starts=np.zeros((LINES, 3)),
        ends=np.zeros((LINES, 3)),
        face=np.zeros(LINES, np.int32),
        outcome=np.zeros(LINES, np.uint8),
        point=np.zeros((LINES, 3)),
        fraction=np.zeros(LINES),
        normal=np.zeros((LINES, 2)),
        stopped=np.zeros(LINES, np.int32),
    )
