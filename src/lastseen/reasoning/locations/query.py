"""A query: criteria for candidates, how they combine into one score, how to pick by it, and its files."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import force_setattr

from ... import textfile
from ...checks import finite_number, instance_of, shown, text_of, whole_number
from ...errors import InputError, did_you_mean
from ...kernels.search.location_choice import BEST, TOP, WEIGHTED
from ...shipped import Shipped
from ..input_checks import require_choice
from .criteria import AnyCriterion, Criterion

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
        require_choice(self.rule, "rule", RULES)
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
        require_choice(self.combine, "combine", ("product", "mean"))
        instance_of(self.pick, Pick, "pick", "give Pick(…)")
        text_of(self.about, "about")
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


_FILES = Shipped("shipped query", "lastseen.reasoning.locations", "queries")


def read_query(path: str | os.PathLike[str]) -> Query:
    """Return the query in a .yaml, .yml, .json or .toml file.

    Raises
    ------
    TextFileError
        An `InputError` that names file, line and key, and suggests a similar name.
    """
    return _converted(textfile.read(path))


def shipped_queries() -> tuple[str, ...]:
    """Return the names of the shipped queries: files to copy and change."""
    return _FILES.names


def shipped_query(name: str) -> Query:
    """Return a shipped query by name."""
    return parse_query(_FILES.text(name), source=f"{name}.yaml")


def parse_query(text: str, form: str = "yaml", *, source: str = "query") -> Query:
    """Return the query in a text; `form` is "yaml", "json" or "toml"."""
    return _converted(textfile.parse(text, form, source=source))


def _converted(document: textfile.Document) -> Query:
    """Return the query of a document; a fault in one criterion does not hide faults in the others."""
    try:
        return textfile.convert(document, Query)
    except textfile.TextFileError as first:
        faults = sorted({one.path: one for one in (*_faults(document), first)}.values(), key=lambda one: one.line)
        if len(faults) == 1:
            raise
        what = "\n".join((faults[0].what, *map(str, faults[1:])))
        raise textfile.TextFileError(faults[0].source, faults[0].line, what, faults[0].path) from None


def _faults(document: textfile.Document) -> Iterator[textfile.TextFileError]:
    """Yield the fault of each criterion and of each other part."""
    parts = document.value if isinstance(document.value, dict) else {}
    criteria = parts.get("criteria")
    kind: Any = AnyCriterion
    for number in range(len(criteria)) if isinstance(criteria, list) else ():
        try:
            textfile.convert(document, kind, ("criteria", number))
        except textfile.TextFileError as error:
            yield error
    for key in parts:
        rest = {key: parts[key]}
        if key != "criteria" or not isinstance(criteria, list):
            try:
                textfile.convert(textfile.Document(document.source, rest, document.lines), Query)
            except textfile.TextFileError as error:
                yield error


def query_schema() -> dict[str, Any]:
    """Return the JSON Schema of query files, which editors use to complete, explain and check them."""
    schema = msgspec.json.schema(Query)
    shared = _words_of_fields(inspect.getdoc(Criterion) or "")
    for part in schema["$defs"].values():
        words = inspect.cleandoc(part.get("description", ""))
        part["description"] = words.split("\n\n")[0]
        for name, about in {**shared, **_words_of_fields(words)}.items():
            if name in part.get("properties", {}):
                part["properties"][name].setdefault("description", about)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "lastseen location query", **schema}


def _words_of_fields(words: str) -> dict[str, str]:
    """Return the description of each field in the Attributes section of a docstring."""
    section = re.search(r"Attributes\n-+\n(.*?)(?:\n\n|\Z)", words, re.DOTALL)
    found: dict[str, str] = {}
    for entry in re.findall(r"^(\w[\w, ]*) : (.*(?:\n +.*)*)", section[1] if section else "", re.MULTILINE):
        found.update(dict.fromkeys(entry[0].split(", "), " ".join(entry[1].split())))
    return found
