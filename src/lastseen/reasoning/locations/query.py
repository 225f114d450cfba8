"""A query: criteria for candidates, how they combine into one score, and how to pick by it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import force_setattr

from ...checks import finite_number, shown, whole_number
from ...errors import InputError, did_you_mean
from ...kernels.location_choose import BEST, TOP, WEIGHTED
from .criteria import AnyCriterion, Criterion

__all__ = ["Pick", "Query"]

RULES = {"best": BEST, "weighted": WEIGHTED, "top": TOP}
_MOST_CRITERIA = 200
_MOST_PLACES = 10_000


class Pick(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rule for picking places by their score.

    Attributes
    ----------
    rule : "best": the highest score; "weighted": at random, higher scores more likely; "top": at random, with equal
        chances, among scores within `share` of the best.
    count : number of places.
    spacing : metres between the places of one asker.
    apart : metres between places of different askers, which are served in order.
    least : scores below this are never picked, nor is 0.
    share : 0 … 1, with "top".
    sharpness : with "weighted": exponent of scores; 0 makes all equal, higher values favour good ones.
    """

    rule: Literal["best", "weighted", "top"] = "best"
    count: Annotated[int, msgspec.Meta(ge=1, le=_MOST_PLACES)] = 1
    spacing: float = 0.0
    apart: float = 0.0
    least: float = 0.0
    share: float = 0.25
    sharpness: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.rule, str) or self.rule not in RULES:
            raise InputError(
                f"rule is {shown(self.rule)}{did_you_mean(self.rule, RULES)}; give {' or '.join(map(repr, RULES))}"
            )
        if whole_number(self.count, "count", low=1) > _MOST_PLACES:
            raise InputError(f"count is {self.count}; give at most {_MOST_PLACES}")
        for name, high in (("spacing", 1e9), ("apart", 1e9), ("least", 1.0), ("share", 1.0), ("sharpness", 100.0)):
            force_setattr(self, name, finite_number(getattr(self, name), name, low=0.0, high=high))


class Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A query for a place to go to, to appear at or to hide in.

    Attributes
    ----------
    criteria : what to measure for every candidate, its limits and its rating.
    combine : "product": one criterion at 0 makes the score 0; "mean": weighted, a good one offsets a bad one.
    pick : how to pick by the score.
    about : its purpose, as text.

    Notes
    -----
    Candidates are all cells that are not disabled, or fewer if a `Distance` to the asker has an `at_most`. Multiplying
    criteria of 0 … 1 and taking the highest follows the post selectors of *The Last of Us* (chapter 34).
    """

    criteria: tuple[AnyCriterion, ...] = ()
    combine: Literal["product", "mean"] = "product"
    pick: Pick = Pick()
    about: str = ""

    def __post_init__(self) -> None:
        given: Any = self.criteria
        if not isinstance(given, tuple | list) or len(given) > _MOST_CRITERIA:
            raise InputError(f"criteria are {shown(given)}; give a list of at most {_MOST_CRITERIA} criteria")
        for one in given:
            if not isinstance(one, Criterion):
                raise InputError(f"criteria contain {shown(one)}; give Distance(…), Seen(…) or another measure")
        force_setattr(self, "criteria", tuple(given))
        if not isinstance(self.combine, str) or self.combine not in ("product", "mean"):
            raise InputError(
                f"combine is {shown(self.combine)}{did_you_mean(self.combine, ('product', 'mean'))}; "
                "give 'product' or 'mean'"
            )
        if not isinstance(self.pick, Pick):
            raise InputError(f"pick is {shown(self.pick)}; give Pick(…)")
        if not isinstance(self.about, str):
            raise InputError(f"about is {shown(self.about)}; give text")
        scored = [one for one in given if one.curve is not None]
        if scored and not any(one.weight > 0.0 for one in scored):
            raise InputError("every criterion with a curve has weight 0; give at least one of them a higher weight")

    @property
    def titles(self) -> tuple[str, ...]:
        """Names of the criteria, in order."""
        return tuple(one.title for one in self.criteria)

    def but(self, **changes: Any) -> Query:
        """Return a copy of the query with some parts changed; an unknown name is an error."""
        for name in changes:
            if name not in self.__struct_fields__:
                known = ", ".join(self.__struct_fields__)
                raise InputError(f"a query has no {name!r}{did_you_mean(name, self.__struct_fields__)}; it has {known}")
        return msgspec.structs.replace(self, **changes)
