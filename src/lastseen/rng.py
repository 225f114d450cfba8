"""One seed, named generators: the same name under the same seed always draws the same numbers."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from .checks import shown, whole_number
from .errors import InputError

__all__ = ["generator", "seed_of"]


def generator(seed: int, name: str) -> np.random.Generator:
    """Return the generator of consumer `name` under `seed`.

    Consumers never share a stream, so adding one does not change what the others draw.
    """
    words = np.frombuffer(hashlib.blake2b(name.encode(), digest_size=16).digest(), dtype=np.uint32)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words.tolist()])))


def seed_of(value: Any) -> int:
    """Return a seed that can also be written down: a whole number below 2 to the power of 63."""
    seed = whole_number(value, "seed")
    if seed >= 2**63:
        raise InputError(f"seed is {shown(value)}; give a whole number below {2**63}")
    return seed
