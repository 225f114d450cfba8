"""Conversion of kernel argument types to and from text, for the manifest of kernels to compile."""

from __future__ import annotations

import importlib
import re
import time
from typing import Any

from numba.core import types as numba_types

from .jit import name_among_kernels

_types: Any = numba_types  # has few type annotations
_ARRAY = re.compile(r"(\w+)\[(\d),(\w)\]")
_SCALARS = (
    "bool",
    "boolean",
    "float32",
    "float64",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
)

Described = str | list[Any]
"""A scalar ("int64"), an array ("float64[2,C]": dtype, dimensions, layout) or a tuple ([class or "", *fields])."""


def described(given: Any) -> Described | None:
    """Return a numba type as text; None for types that kernels of this package do not support."""
    if isinstance(given, _types.Array) and given.aligned and given.mutable and str(given.dtype) in _SCALARS:
        return f"{given.dtype}[{given.ndim},{given.layout}]"
    if isinstance(given, _types.BaseTuple):
        fields = [described(one) for one in given]
        named = given.instance_class if isinstance(given, _types.BaseNamedTuple) else None
        name = name_among_kernels(named) if named is not None else ""
        return None if None in fields else [name, *fields]
    return str(given) if str(given) in _SCALARS else None


def _undescribed(text: Described) -> Any:
    """Return the numba type that a text written by `described` stands for."""
    if isinstance(text, list):
        named = kernel_named(text[0]) if text[0] else None
        return _types.BaseTuple.from_types([_undescribed(one) for one in text[1:]], named)
    if array := _ARRAY.fullmatch(text):
        return _types.Array(getattr(_types, array[1]), int(array[2]), array[3])
    return getattr(_types, text)


def argument_types(texts: list[Described]) -> tuple[Any, ...]:
    """Return the numba types described by `texts`, one per argument."""
    return tuple(_undescribed(one) for one in texts)


def kernel_named(name: str) -> Any:
    """Return the function or class named `module.name` below `lastseen.kernels`."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(f"{__package__}.{module}"), attribute)


def callees(kernel: Any) -> list[str]:
    """Return the names of the kernels that a kernel calls directly."""
    function = kernel.py_func
    found = [function.__globals__.get(name) for name in function.__code__.co_names]
    return sorted(
        name_among_kernels(one.py_func)
        for one in found
        if hasattr(one, "py_func") and one.py_func.__module__.startswith(f"{__package__}.")
    )


def is_kept(kernel: Any, types: tuple[Any, ...]) -> bool:
    """Return whether code for these argument types is available without compiling."""
    holds = getattr(kernel._cache, "holds", None)
    return bool(holds is not None and holds(types))


def compile_kernel(kernel: Any, types: tuple[Any, ...]) -> float:
    """Compile a kernel for these types or load it from the cache; return the seconds of CPU time taken."""
    start = time.process_time()
    kernel.compile(types)
    return time.process_time() - start
