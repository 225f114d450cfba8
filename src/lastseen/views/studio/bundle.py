"""The page as one file: its modules and style written into it, so that it opens from disk without a server."""

from __future__ import annotations

import html
import re
import unicodedata
from base64 import b64encode
from collections.abc import Mapping

from .joined import joined_script, module

__all__ = ["bundled_page"]

_STYLE = re.compile(r'<link rel="stylesheet" href="/static/([\w./-]+)" />')
_ICON = re.compile(r'href="/static/(icon\.svg)"')
_SCRIPT = re.compile(r'<script type="module" src="/static/[\w./-]+"></script>')
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
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
    page = module("index.html")
    page = _STYLE.sub(lambda found: f"<style>\n{module(found[1])}</style>", page)
    page = _ICON.sub(lambda found: f'href="{_address("image/svg+xml", module(found[1]))}"', page)
    page = _SCRIPT.sub(lambda _: _script(replaced), page)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}" />'
    page = page.replace("<title>lastseen</title>", f"{policy}<title>{html.escape(_shown(title))}</title>")
    embedded = f'<script type="text/plain" id="embedded">{b64encode(data).decode()}</script>'
    return page.replace("<noscript>", f"{embedded}<noscript>")


def _shown(title: str) -> str:
    """Return a title without marks that turn writing round; what stands in the page, the page itself writes so."""
    return "".join(letter for letter in title if unicodedata.category(letter) not in ("Cc", "Cf"))


def _script(replaced: Mapping[str, str]) -> str:
    """Return the modules as one script; none of their words can end its element."""
    text = joined_script(replaced).replace("</", "<\\/")
    return f'<script type="module">\n{text}\n</script>'


def _address(kind: str, text: str) -> str:
    return f"data:{kind};base64,{b64encode(text.encode()).decode()}"
