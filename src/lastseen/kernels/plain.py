"""Kernels as plain Python: what the interpreter runs instead of compiled code."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

__all__ = ["plain_function"]

_namespaces: dict[int, dict[str, Any]] = {}
"""By id of a module's globals: a copy in which every kernel is a Python function."""
_functions: dict[Any, Callable[..., Any]] = {}


def plain_function(kernel: Any) -> Callable[..., Any]:
    """Return a kernel as a Python function that calls other kernels as Python functions too.

    A kernel's own `py_func` would call compiled kernels, one by one, each of which would have to be compiled.
    """
    known = _functions.get(kernel)
    if known is None:
        function = kernel.py_func
        space = _namespace(function.__globals__)
        known = _functions.setdefault(kernel, _copy(function, space))
    return known


def _namespace(given: dict[str, Any]) -> dict[str, Any]:
    known = _namespaces.get(id(given))
    if known is None:
        known = _namespaces[id(given)] = dict(given)
        for name, value in given.items():
            if hasattr(value, "py_func"):
                known[name] = plain_function(value)
    return known


def _copy(function: Any, space: dict[str, Any]) -> Callable[..., Any]:
    return FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
