"""The page as one file: its modules and style written into it, so that it opens from disk without a server."""

from __future__ import annotations

import html
import re
import unicodedata
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

import msgspec

__all__ = ["bundled_page", "module"]

_STATIC = Path(__file__).parent / "static"
_PREFIX = "lastseen/"
_IMPORT = re.compile(r'(?m)^((?:import|export)\b[^;"]*?")(\.{1,2}/[^"]+)(";)')
_FULL = re.compile(r'(?m)^((?:import|export)\b[^;"]*?")(' + _PREFIX + r'[^"]+)";')
_STYLE = re.compile(r'<link rel="stylesheet" href="/static/([\w./-]+)" />')
_ICON = re.compile(r'href="/static/(icon\.svg)"')
_SCRIPT = re.compile(r'<script type="module" src="/static/([\w./-]+)"></script>')
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
"""The file asks nobody for anything."""


def bundled_page(title: str, data: bytes, replaced: Mapping[str, str]) -> str:
    """Return the page as one HTML text that asks no host for anything.

    Parameters
    ----------
    title : written as text, whatever it holds.
    data : given to the page as base64 in the element `#embedded`; no letter of it can end that element.
    replaced : sources of modules to be used in place of the page's own, by their names as in "connection.js".
    """
    page = (_STATIC / "index.html").read_text(encoding="utf-8")
    page = _STYLE.sub(lambda found: f"<style>\n{module(found[1])}</style>", page)
    page = _ICON.sub(lambda found: f'href="{_address("image/svg+xml", module(found[1]))}"', page)
    page = _SCRIPT.sub(lambda found: _scripts(found[1], replaced), page)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}" />'
    page = page.replace("<title>lastseen</title>", f"{policy}<title>{html.escape(_shown(title))}</title>")
    embedded = f'<script type="text/plain" id="embedded">{b64encode(data).decode()}</script>'
    return page.replace("<noscript>", f"{embedded}<noscript>")


def _shown(title: str) -> str:
    """Return a title without marks that turn writing round; what stands in the page, the page itself writes so."""
    return "".join(letter for letter in title if unicodedata.category(letter) not in ("Cc", "Cf"))


def _scripts(first: str, replaced: Mapping[str, str]) -> str:
    """Return the map from names to modules, and the one that begins."""
    modules = {name: _address("text/javascript", text) for name, text in _reached(_PREFIX + first, replaced).items()}
    imports = msgspec.json.encode({"imports": modules}).decode()
    return f'<script type="importmap">{imports}</script><script type="module">import "{_PREFIX}{first}";</script>'


def _reached(first: str, replaced: Mapping[str, str]) -> dict[str, str]:
    """Return all modules that the first one needs, by their full names: what nobody imports stays out."""
    found: dict[str, str] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        if name not in found:
            own = name.removeprefix(_PREFIX)
            found[name] = _renamed(own, replaced.get(own) or module(own))
            waiting += [one[2] for one in _FULL.finditer(found[name])]
    return dict(sorted(found.items()))


def _renamed(name: str, source: str) -> str:
    """Return a module whose imports have full names: one that is no file has no folder to look beside it."""
    folder = (_STATIC / name).parent

    def full(found: re.Match[str]) -> str:
        place = (folder / found[2]).resolve().relative_to(_STATIC.resolve())
        return f"{found[1]}{_PREFIX}{place.as_posix()}{found[3]}"

    return _IMPORT.sub(full, source)


def module(name: str) -> str:
    """Return the text of a file of the page, by its name as in "map/scene.js"."""
    return (_STATIC / name).read_text(encoding="utf-8")


def _address(kind: str, text: str) -> str:
    return f"data:{kind};base64,{b64encode(text.encode()).decode()}"
