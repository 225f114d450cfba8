"""Read and write queries as YAML, JSON or TOML files."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ... import textfile
from ...shipped import Shipped
from .criteria import AnyCriterion, Criterion
from .query import Query

__all__ = ["parse_query", "query_schema", "query_text", "read_query", "ready_queries", "ready_query"]

_FILES = Shipped("built-in query", "lastseen.reasoning.locations", "queries")


def read_query(path: str | os.PathLike[str]) -> Query:
    """Return the query in a .yaml, .yml, .json or .toml file.

    Raises
    ------
    TextFileError
        An `InputError` that names file, line and key, and suggests a similar name.
    """
    return _converted(textfile.read(path))


def ready_queries() -> tuple[str, ...]:
    """Return the names of the built-in queries: files to copy and change."""
    return _FILES.names


def ready_query(name: str) -> Query:
    """Return a built-in query by name."""
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


def query_text(query: Query) -> str:
    """Return a query as JSON that `parse_query` reads; defaults are left out."""
    return msgspec.json.format(msgspec.json.encode(query), indent=2).decode() + "\n"


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
