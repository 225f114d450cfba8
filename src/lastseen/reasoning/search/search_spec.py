"""Searches as written in scenarios and evaluations: a name and changed settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ...errors import InputError, did_you_mean
from ..input_checks import changed, changes_in
from .map.destination import Scoring
from .search_settings import PRESETS, CoordinatorSettings, SearchSettings, SpotWeights

SEARCHES = (*PRESETS, "coordinator", "both")
"""Kinds of search: presets of the influence map, a coordinator over spots, and the coordinator over influence."""
SCORINGS = {"gain": Scoring(by="gain")}
"""How searchers choose their places by kind of search, if not as usual."""
_EXAMPLE = "influence:speed=2"
_LEFT_OUT = ("weights", "grace", "time_limit")
"""Settings of a coordinator that are given otherwise: spot by spot, or by keys of the scenario."""


@dataclass(frozen=True)
class SearchSpec:
    """A search with its settings, as in `influence:speed=2:far=20` or `both:aggressive_limit=1`.

    Attributes
    ----------
    text, kind : as written, and one of `SEARCHES`.
    settings : of the influence map.
    coordinator : changed settings of the coordinator.
    scoring : how a searcher chooses its place on the map.
    """

    text: str
    kind: str
    settings: SearchSettings
    coordinator: Mapping[str, Any] = field(default_factory=dict)
    scoring: Scoring = field(default_factory=Scoring)

    @property
    def has_map(self) -> bool:
        """Whether an influence map directs it."""
        return self.kind != "coordinator"

    @property
    def has_coordinator(self) -> bool:
        """Whether a coordinator directs it."""
        return self.kind not in PRESETS

    def scoring_of(self, text: str) -> Scoring:
        """Return how one searcher chooses its places, written like the search; only this may differ by searcher."""
        own = search_spec(text)
        if own.kind != self.kind:
            raise InputError(f"search {text!r} is of one agent, but all search by {self.kind!r}; write {self.kind}:…")
        shared = [name for name in changes_in(text, "search", _EXAMPLE) if name not in _names(Scoring)]
        if shared:
            raise InputError(
                f"search {text!r}: {shared[0]} is shared by all searchers; give it in the scenario's search, and here "
                f"only {', '.join(_names(Scoring))}"
            )
        return changed(self.scoring, changes_in(text, "search", _EXAMPLE))


def _names(settings: type) -> tuple[str, ...]:
    return tuple(one.name for one in fields(settings) if one.name not in _LEFT_OUT)


def search_spec(text: str) -> SearchSpec:
    """Return a search as written in a scenario, or raise an error that says what is wrong."""
    kind = text.partition(":")[0]
    if kind not in SEARCHES:
        raise InputError(f"no search {kind!r}{did_you_mean(kind, SEARCHES)}; there are {', '.join(SEARCHES)}")
    changes = changes_in(text, "search", _EXAMPLE)
    of_map = (SearchSettings, Scoring) if kind != "coordinator" else ()
    of_spots = (CoordinatorSettings, SpotWeights) if kind not in PRESETS else ()
    known = {name: one for one in (*of_map, *of_spots) for name in _names(one)}
    parts: dict[type, dict[str, Any]] = {}
    for name, value in changes.items():
        if name not in known:
            raise InputError(
                f"search {text!r}: no setting {name!r}{did_you_mean(name, known)}; settings: {', '.join(known)}"
            )
        parts.setdefault(known[name], {})[name] = value
    try:
        orders = parts.get(CoordinatorSettings, {})
        if SpotWeights in parts:
            orders = orders | {"weights": changed(SpotWeights(), parts[SpotWeights])}
        CoordinatorSettings(**orders)
        settings = PRESETS.get(kind, PRESETS["influence"]).but(**parts.get(SearchSettings, {}))
        return SearchSpec(text, kind, settings, orders, changed(SCORINGS.get(kind, Scoring()), parts.get(Scoring, {})))
    except InputError as error:
        raise InputError(f"search {text!r}: {error}") from None
