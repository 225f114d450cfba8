"""The page as one file: its modules and style written into it, so that it opens from disk without a server."""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

import msgspec

__all__ = ["bundled_page"]

_STATIC = Path(__file__).parent / "static"
_PREFIX = "lastseen/"
_IMPORT = re.compile(r'(?m)^((?:import|export)\b[^;"]*?")(\.{1,2}/[^"]+)(";)')
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
    page = _STYLE.sub(lambda found: f"<style>\n{_text(found[1])}</style>", page)
    page = _ICON.sub(lambda found: f'href="{_address("image/svg+xml", _text(found[1]))}"', page)
    page = _SCRIPT.sub(lambda found: _scripts(found[1], replaced), page)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}" />'
    page = page.replace("<title>lastseen</title>", f"{policy}<title>{html.escape(title)}</title>")
    embedded = f'<script type="text/plain" id="embedded">{b64encode(data).decode()}</script>'
    return page.replace("<noscript>", f"{embedded}<noscript>")


def _scripts(first: str, replaced: Mapping[str, str]) -> str:
    """Return the map from names to modules, and the one that begins."""
    names = sorted(path.relative_to(_STATIC).as_posix() for path in _STATIC.rglob("*.js"))
    modules = {
        _PREFIX + name: _address("text/javascript", _renamed(name, replaced.get(name) or _text(name))) for name in names
    }
    imports = msgspec.json.encode({"imports": modules}).decode()
    return f'<script type="importmap">{imports}</script><script type="module">import "{_PREFIX}{first}";</script>'


def _renamed(name: str, source: str) -> str:
    """Return a module whose imports have full names: one that is no file has no folder to look beside it."""
    folder = (_STATIC / name).parent

    def full(found: re.Match[str]) -> str:
        place = (folder / found[2]).resolve().relative_to(_STATIC.resolve())
        return f"{found[1]}{_PREFIX}{place.as_posix()}{found[3]}"

    return _IMPORT.sub(full, source)


def _text(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def _address(kind: str, text: str) -> str:
    return f"data:{kind};base64,{b64encode(text.encode()).decode()}"
