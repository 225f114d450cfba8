"""Bundle the page into one file with its modules and style, so that it opens from disk without a server."""

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
    page = _ICON.sub(lambda found: f'href="{_address("image/svg+xml", module(found[1]))}"', page)
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


def _address(kind: str, text: str) -> str:
    return f"data:{kind};base64,{b64encode(text.encode()).decode()}"
