"""A stretch of a run as one HTML file, which opens from disk, replays everything and loads nothing."""

from __future__ import annotations

from .bundle import bundled_page
from .joined import module
from .replay_data import Progress, replay_data
from .stage import Stage

__all__ = ["replay_page"]

_SERVED = {
    "compare/mode.js": "compareMode",
    "edit/mode.js": "editMode",
    "modes/play.js": "playMode",
    "modes/whatif.js": "whatifMode",
    "rules/mode.js": "rulesMode",
}
"""Modes that need a server, and their factories: in a replay they would be half of the file, and refused."""


def replay_page(stage: Stage, first: int = 0, last: int | None = None, *, progress: Progress | None = None) -> bytes:
    """Return the page of steps `first` to `last` of a stage that has a recording.

    Raises
    ------
    InputError
        The stretch is too long for one file.
    """
    data = replay_data(stage, first, last, surveys=True, progress=progress)
    replaced = {name: f"export const {made} = () => ({{ name: '{made}' }});\n" for name, made in _SERVED.items()}
    replaced["connection.js"] = module("replay/embedded.js")
    return bundled_page(f"{stage.name} · lastseen", data, replaced).encode()
