"""Named random generators from one seed: the same name and seed always draw the same numbers."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, name: str) -> np.random.Generator:
    """Return the generator for consumer `name` under `seed`.

    Consumers never share a stream, so adding one does not change the numbers the others draw.
    """
    words = np.frombuffer(hashlib.blake2b(name.encode(), digest_size=16).digest(), dtype=np.uint32)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words.tolist()])))
