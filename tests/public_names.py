"""Every public name of lastseen, whichever namespace it is in."""

from __future__ import annotations

import inspect
from types import SimpleNamespace

import lastseen

SPACES = tuple(name for name in lastseen.__all__ if inspect.ismodule(getattr(lastseen, name)))
PUBLIC = {
    name: getattr(space, name)
    for space in (lastseen, *(getattr(lastseen, name) for name in SPACES))
    for name in space.__all__
    if name not in SPACES
}
public = SimpleNamespace(**PUBLIC)
