"""Queries as small readable files: YAML, JSON or TOML."""

from __future__ import annotations

import os
from typing import Any

import msgspec

from ... import textfile
from .query import Query

__all__ = ["parse_query", "query_schema", "query_text", "read_query"]


def read_query(path: str | os.PathLike[str]) -> Query:
    """Return the query a .yaml, .yml, .json or .toml file holds.

    Raises
    ------
    TextFileError
        An `InputError` that names file, line and key, and the close name that may have been meant.
    """
    return textfile.convert(textfile.read(path), Query)


def parse_query(text: str, form: str = "yaml", *, source: str = "query") -> Query:
    """Return the query a text holds; `form` is "yaml", "json" or "toml"."""
    return textfile.convert(textfile.parse(text, form, source=source), Query)


def query_text(query: Query) -> str:
    """Return a query as JSON that `parse_query` reads again; what is as usual is left out."""
    return msgspec.json.format(msgspec.json.encode(query), indent=2).decode() + "\n"


def query_schema() -> dict[str, Any]:
    """Return the JSON Schema of query files, by which editors complete and check them."""
    schema = msgspec.json.schema(Query)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "lastseen location query", **schema}
