"""Choosing guards in slow, obvious words: every choice there is, judged by sets and products."""

from __future__ import annotations

import itertools
import math

import numpy as np


def judged(shares: np.ndarray, chosen, floor: int) -> tuple[int, float, float]:
    """Samples of the floor seen at some time, share of the floor seen at any moment, and of the path."""
    ever = {sample for guard in chosen for sample in range(floor) if shares[guard, sample] > 0.0}
    seen = [1.0 - math.prod(1.0 - shares[guard, k] for guard in chosen) for k in range(shares.shape[1])]
    return len(ever), sum(seen[:floor]) / floor, sum(seen[floor:]) / len(seen[floor:])


def value(shares: np.ndarray, chosen, floor: int, spare: float) -> float:
    ever, mean, path = judged(shares, chosen, floor)
    return ever / floor + mean - spare * path


def allowed(kinds, places, wanted, chosen) -> bool:
    """Right kinds, nobody twice, no two in one place."""
    stand = [places[guard] for guard in chosen if places[guard] >= 0]
    right = all(kinds[guard] == kind for guard, kind in zip(chosen, wanted))
    return right and len(set(chosen)) == len(chosen) and len(set(stand)) == len(stand)


def best_of_all(shares, kinds, places, first: int, floor: int, spare: float) -> float:
    """The best value of any choice that sees no less of the floor than the first guards, and no more of the path."""
    ever, mean, path = judged(shares, range(first), floor)
    best = -math.inf
    for chosen in itertools.product(range(len(shares)), repeat=first):
        if not allowed(kinds, places, kinds[:first], chosen):
            continue
        found = judged(shares, chosen, floor)
        inside = found[0] >= ever and found[1] >= mean - 1e-12 and (spare == 0.0 or found[2] <= path + 1e-12)
        if inside:
            best = max(best, value(shares, chosen, floor, spare))
    return best
