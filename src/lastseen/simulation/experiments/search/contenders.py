"""Contenders: the search methods to measure, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ....errors import InputError, did_you_mean
from ....reasoning.search.search_settings import PRESETS, SearchSettings
from ..harness.parameters import changes_of

BASE = "random"
"""The baseline for comparisons."""

_Kind = Literal["search", "random", "cheating", "standing"]


@dataclass(frozen=True)
class Contender:
    """A named search method.

    Attributes
    ----------
    kind : "search": the world's own search; the others are directed by a guide.
    told : it knows where the evader really is, always or at first; an upper bound, not a rival.
    search : of the scenario; with a guide, its map is only used for measuring.
    settings : of the search map, instead of the preset's.
    """

    name: str
    kind: _Kind = "search"
    told: bool = False
    search: str = "influence"
    settings: SearchSettings | None = None


_OWN = {
    "cheating": Contender("cheating", "cheating", told=True),
    "coordinator": Contender("coordinator", search="coordinator"),
    "both": Contender("both", search="both"),
    "knowing coordinator": Contender("knowing coordinator", told=True, search="coordinator"),
    "random": Contender("random", "random"),
    "standing": Contender("standing", "standing"),
}

DEFAULT = ("cheating", "influence", "careful", "bleeding", "coordinator", "both", "knowing coordinator", "random",
           "standing")  # fmt: skip
"""Contenders measured by default."""


def contender_names() -> tuple[str, ...]:
    """Return the names that `contenders` knows: its own and every preset of the search map."""
    return tuple(dict.fromkeys([*DEFAULT, *PRESETS, *_OWN]))


def contenders(names: Sequence[str]) -> tuple[Contender, ...]:
    """Return contenders by name; settings can be modified: `influence:speed=2`.

    The random searcher is added if it is missing, as the baseline for comparisons.
    """
    known = contender_names()
    found = []
    for name in dict.fromkeys([*names, BASE]):
        head = name.split(":")[0]
        if head not in known:
            raise InputError(f"no contender {name!r}{did_you_mean(head, known)}; contenders: {', '.join(known)}")
        found.append(_contender(name, head))
    return tuple(found)


def _contender(name: str, head: str) -> Contender:
    changes = changes_of(name, "contender", "influence:speed=2")
    if head in PRESETS:
        return Contender(name, search=head, settings=PRESETS[head].but(**changes) if changes else None)
    if changes:
        raise InputError(f"contender {name!r}: only presets of the search map have settings; leave out the colon")
    return _OWN[head]
