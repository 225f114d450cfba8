"""Bit fields: one bit per cell or link, bit `i & 7` of byte `i >> 3`."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import jit


@jit
def bit(field: Array, index: int) -> np.uint8:
    """Return bit `index`, 1 or 0."""
    return (field[index >> 3] >> np.uint8(index & 7)) & np.uint8(1)


@jit
def set_bit(field: Array, index: int) -> None:
    """Set bit `index`."""
    field[index >> 3] |= np.uint8(1 << (index & 7))


@jit
def clear_bit(field: Array, index: int) -> None:
    """Clear bit `index`."""
    field[index >> 3] &= np.uint8(255 - (1 << (index & 7)))
