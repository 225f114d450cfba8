"""What notebooks show of an object: a table for pandas or polars, or a picture.

Objects do not draw themselves: they name the view that draws them, which is imported when a notebook asks for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from ..conventions import Array
from ..errors import InputError

Columns = Mapping[str, Sequence[Any] | Array]
"""Columns of a table by name."""

_VIEW = "lastseen.views.figures.notebook"


class Tabular(ABC):
    """A result that is a table."""

    @abstractmethod
    def to_columns(self) -> Columns:
        """Return the table as columns of equal length by name."""

    def to_pandas(self) -> Any:
        """Return the table as a pandas DataFrame; needs the package pandas."""
        return _library("pandas").DataFrame(self.to_columns())

    def _repr_html_(self) -> str | None:
        """Return the table as notebooks show it, or None without pandas."""
        try:
            page: str = self.to_pandas()._repr_html_()
        except InputError:
            return None
        return page

    def to_polars(self) -> Any:
        """Return the table as a polars DataFrame; needs the package polars."""
        return _library("polars").DataFrame(self.to_columns())


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(f"tables of this kind need the package {name!r} ({error}); pip install {name}") from None


def as_png(thing: object) -> bytes:
    """Return the picture that a notebook shows of an object; a class names this function `_repr_png_`."""
    picture: bytes = import_module(_VIEW).picture_of(thing)
    return picture


def as_html(thing: object) -> str:
    """Return the HTML that a notebook shows of an object; a class names this function `_repr_html_`."""
    page: str = import_module(_VIEW).page_of(thing)
    return page
