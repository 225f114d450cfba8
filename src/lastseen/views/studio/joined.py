"""Join the page's modules into one script: over a hundred small requests take longer than their content."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

__all__ = ["SCRIPT", "joined_modules", "joined_page", "joined_script", "module"]

SCRIPT = "/page.js"
"""Path of the page's script."""
_STATIC = Path(__file__).parent / "static"
_FIRST = "main.js"
_NONE: Mapping[str, str] = MappingProxyType({})
_IMPORT = re.compile(r'(?m)^import\s+(?:(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+)?"(\.{1,2}/[^"]+)";')
_EXPORT = re.compile(r"(?m)^export (?=(?:async function|function|const|class) (\w+))")
_AS = re.compile(r"(\w+)\s+as\s+(\w+)")


def joined_page() -> str:
    """Return the page that loads the joined script."""
    return module("index.html").replace(f'src="/static/{_FIRST}"', f'src="{SCRIPT}"')


def joined_script(replaced: Mapping[str, str] = _NONE) -> str:
    """Return all modules of the page as one, which exports them as `modules`, by name such as "map/scene.js".

    `replaced` holds sources that replace the page's own, by those names.

    Notes
    -----
    A module becomes a function that is called once, after those of the modules it imports; its lines stay lines. So
    imports must not be circular, and modules must export functions, classes and constants where they are declared.
    """
    wrapped = (_wrapped(name, text) for name, text in joined_modules(replaced).items())
    return "\n".join(["export const modules = { __proto__: null };", *wrapped])


def joined_modules(replaced: Mapping[str, str] = _NONE) -> dict[str, str]:
    """Return the sources of all modules the page needs, and no others, each after those it imports.

    Raises
    ------
    ValueError
        Imports are circular.
    """
    found: dict[str, str] = {}

    def find(name: str, way: tuple[str, ...]) -> None:
        if name in way:
            raise ValueError(f"circular import of modules: {' → '.join([*way, name])}")
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
    """Return the module that an import in another refers to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), asked))


def module(name: str) -> str:
    """Return the text of a file of the page, by name such as "map/scene.js"."""
    return (_STATIC / name).read_text(encoding="utf-8")
