"""The page's modules as one script: over a hundred requests for small files take longer than all that is in them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

__all__ = ["SCRIPT", "joined_modules", "joined_page", "joined_script", "module"]

SCRIPT = "/page.js"
"""Where the page looks for its script."""
_STATIC = Path(__file__).parent / "static"
_FIRST = "main.js"
_NONE: Mapping[str, str] = MappingProxyType({})
_IMPORT = re.compile(r'(?m)^import\s+(?:(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+)?"(\.{1,2}/[^"]+)";')
_EXPORT = re.compile(r"(?m)^export (?=(?:async function|function|const|class) (\w+))")
_AS = re.compile(r"(\w+)\s+as\s+(\w+)")


def joined_page() -> str:
    """Return the page that asks for the one script."""
    return module("index.html").replace(f'src="/static/{_FIRST}"', f'src="{SCRIPT}"')


def joined_script(replaced: Mapping[str, str] = _NONE) -> str:
    """Return all modules that the page needs as one, which exports them as `modules`, by name as in "map/scene.js".

    `replaced` holds sources to be used in place of the page's own, by those names.

    Notes
    -----
    A module becomes a function that is called once, after those of the modules it imports; its lines stay lines. So
    modules may not import one another in a circle, and export functions, classes and constants where they are made.
    """
    wrapped = (_wrapped(name, text) for name, text in joined_modules(replaced).items())
    return "\n".join(["export const modules = { __proto__: null };", *wrapped])


def joined_modules(replaced: Mapping[str, str] = _NONE) -> dict[str, str]:
    """Return the sources of all modules that the page needs, each after those it imports: no others.

    Raises
    ------
    ValueError
        Modules import one another in a circle.
    """
    found: dict[str, str] = {}

    def find(name: str, way: tuple[str, ...]) -> None:
        if name in way:
            raise ValueError(f"modules import one another in a circle: {' → '.join([*way, name])}")
        if name not in found:
            text = replaced[name] if name in replaced else module(name)
            for one in _IMPORT.finditer(text):
                find(_place(name, one[2]), (*way, name))
            found[name] = text

    find(_FIRST, ())
    return found


def _wrapped(name: str, text: str) -> str:
    """Return a module as a function that is called at once."""

    def taken(found: re.Match[str]) -> str:
        names, source = found[1], f'modules["{_place(name, found[2])}"]'
        if names is None:
            return ""
        if names.startswith("*"):
            return f"const {names.split()[-1]} = {source};"
        renamed = _AS.sub(r"\1: \2", names)
        return f"const {renamed} = {source};"

    given = ", ".join(one[1] for one in _EXPORT.finditer(text))
    body = _EXPORT.sub("", _IMPORT.sub(taken, text))
    return f'modules["{name}"] = (() => {{\n{body}return {{ {given} }};\n}})();'


def _place(name: str, asked: str) -> str:
    """Return which module is meant by an import of another."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), asked))


def module(name: str) -> str:
    """Return the text of a file of the page, by its name as in "map/scene.js"."""
    return (_STATIC / name).read_text(encoding="utf-8")
