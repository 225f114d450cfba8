"""Join the page's modules into one script, and bundle the page into one file that opens without a server."""

from __future__ import annotations

import html
import posixpath
import re
import unicodedata
from base64 import b64encode
from collections.abc import Mapping
from types import MappingProxyType

from ....shipped import package_folder
from ..panels.registry import FOLDER, shipped_scripts

SCRIPT = "/page.js"
"""Path of the page's script."""
STATIC = package_folder("lastseen.views.studio", "static")
"""Folder of the page's files."""
_FIRST = "main.js"
_ALL_PANELS = "panels/all.js"
_NONE: Mapping[str, str] = MappingProxyType({})
_IMPORT = re.compile(r'(?m)^import\s+(?:(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+)?"(\.{1,2}/[^"]+)";')
_EXPORT = re.compile(r"(?m)^export (?=(?:async function|function|const|class) (\w+))")
_AS = re.compile(r"(\w+)\s+as\s+(\w+)")


def joined_page() -> str:
    """Return the page that loads the joined script."""
    return module("index.html").replace(f'src="/static/{_FIRST}"', f'src="{SCRIPT}"')


def joined_script(replaced: Mapping[str, str] = _NONE) -> str:
    """Return all modules of the page as one, which exports them as `modules`, by name such as "map/scene.js".

    `replaced` holds sources that replace the page's own, by those names. A module becomes a function that is called
    once, after those of the modules it imports; its lines stay lines. So imports must not be circular, and modules must
    export functions, classes and constants where they are declared.
    """
    wrapped = (_wrapped(name, text) for name, text in joined_modules(replaced).items())
    return "\n".join(["export const modules = { __proto__: null };", *wrapped])


def joined_modules(replaced: Mapping[str, str] = _NONE) -> dict[str, str]:
    """Return the sources of the modules the page needs, each after those it imports, which must not be circular."""
    found: dict[str, str] = {}

    def find(name: str, importers: tuple[str, ...]) -> None:
        if name in importers:
            raise ValueError(f"circular import of modules: {' → '.join([*importers, name])}")
        if name not in found:
            text = replaced[name] if name in replaced else module(name)
            for one in _IMPORT.finditer(text):
                find(_place(name, one[2]), (*importers, name))
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
    """Return the text of a file of the page, by name such as "map/scene.js"; "panels/all.js" lists all panels."""
    if name == _ALL_PANELS:
        names = shipped_scripts()
        imports = [f'import {{ panel as panel{number} }} from "./{one}.js";' for number, one in enumerate(names)]
        listed = ", ".join(f"panel{number}" for number in range(len(names)))
        return "\n".join([*imports, f"export const panels = [{listed}];", ""])
    folder = FOLDER.parent if name.startswith("panels/") else STATIC
    return (folder / name).read_text(encoding="utf-8")


_STYLE = re.compile(r'<link rel="stylesheet" href="/static/([\w./-]+)" />')
_SCRIPT = re.compile(r'<script type="module" src="/static/[\w./-]+"></script>')
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
"""The file loads nothing from anywhere."""


def bundled_page(title: str, data: bytes, replaced: Mapping[str, str]) -> str:
    """Return the page as one HTML text that loads nothing from any host.

    Parameters
    ----------
    title : inserted as escaped text.
    data : embedded as base64 in the element `#embedded`, which no base64 character can close.
    replaced : sources of modules that replace the page's own, by name, such as "connection.js".
    """
    page = module("index.html")
    page = _STYLE.sub(lambda found: f"<style>\n{module(found[1])}</style>", page)
    icon = b64encode(module("icon.svg").encode()).decode()
    page = page.replace('href="/static/icon.svg"', f'href="data:image/svg+xml;base64,{icon}"')
    page = _SCRIPT.sub(lambda _: _script(replaced), page)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}" />'
    page = page.replace("<title>lastseen</title>", f"{policy}<title>{html.escape(_shown(title))}</title>")
    embedded = f'<script type="text/plain" id="embedded">{b64encode(data).decode()}</script>'
    return page.replace("<noscript>", f"{embedded}<noscript>")


def _shown(title: str) -> str:
    """Return a title without control and bidirectional marks, as the page itself writes it."""
    return "".join(letter for letter in title if unicodedata.category(letter) not in ("Cc", "Cf"))


def _script(replaced: Mapping[str, str]) -> str:
    """Return the modules as one script that cannot close its own element."""
    text = joined_script(replaced).replace("</", "<\\/")
    return f'<script type="module">\n{text}\n</script>'
