"""The panels of the page: those in this folder, and those of installed packages.

A panel of lastseen is a script here, which the page loads by itself, and a `Panel` in `_ASKING` if the script asks the
studio for data. Another package adds one through the entry-point group `lastseen.panels`; see docs/extensions.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ....errors import InputError
from ....extensions import extension, extension_folder, extension_names
from ....shipped import package_folder
from ..session.game import Game
from .agent import Account, Ask, account_answer
from .bake import Bake, Baked, bake_answer
from .cell import Cell, CellValues, cell_answer
from .costs import AskCosts, StepCosts, costs_answer

FOLDER = package_folder(__package__)
"""Folder of the panels that come with lastseen."""
_GROUP = "panels"


@dataclass(frozen=True)
class Panel:
    """A panel of the page.

    Attributes
    ----------
    name : its `id` in the page.
    folder, script : where its JavaScript module is.
    question, reply : structs of the message its script sends, and of the answer; None: it asks nothing.
    answer : called in the game's thread with the game and a question; returns a reply, or a function that makes it in
        another thread and is called with a function to report progress to.
    """

    name: str
    folder: Path
    script: str
    question: type[msgspec.Struct] | None = None
    reply: type[msgspec.Struct] | None = None
    answer: Callable[[Game, Any], Any] | None = None


_ASKING = (
    Panel("agent", FOLDER, "agent.js", Ask, Account, lambda game, asked: account_answer(game, asked.agent, asked.tick)),
    Panel("bake", FOLDER, "bake.js", Bake, Baked, bake_answer),
    Panel("cell", FOLDER, "cell.js", Cell, CellValues, lambda game, asked: cell_answer(game, asked.cell)),
    Panel("costs", FOLDER, "costs.js", AskCosts, StepCosts, lambda game, _: costs_answer(game)),
)


def shipped_scripts() -> list[str]:
    """Return the names of the panels that come with lastseen."""
    return sorted(file.stem for file in FOLDER.glob("*.js"))


def added_panels() -> Mapping[str, Panel]:
    """Return the panels of installed packages by name, or raise InputError for one that cannot be used."""
    return _added_panels(tuple(sys.path))


@cache
def _added_panels(folders: tuple[str, ...]) -> Mapping[str, Panel]:  # noqa: ARG001
    shipped = shipped_scripts()
    return {name: _added(name) for name in extension_names(_GROUP) if name not in shipped}


def asking_panels() -> list[Panel]:
    """Return all panels whose scripts ask the studio for data."""
    return [panel for panel in (*_ASKING, *added_panels().values()) if panel.question is not None]


def _added(name: str) -> Panel:
    given, folder = extension(_GROUP, name), extension_folder(_GROUP, name)
    parts: list[Any] = [getattr(given, key, None) for key in ("script", "question", "reply", "answer")]
    script, question, reply, answer = parts
    if not isinstance(script, str) or not script.endswith(".js"):
        raise _unfit(name, "has no script; name a .js file in the folder of its module")
    if any(part is not None for part in parts[1:]):
        if not (_is_tagged(question) and _is_tagged(reply) and callable(answer)):
            raise _unfit(name, "needs question, reply and answer: two tagged structs with tag_field='type', a function")
        if question.__struct_config__.tag != name:
            raise _unfit(name, f"has a question tagged {question.__struct_config__.tag!r}; tag it {name!r}")
    return Panel(name, folder, script, question, reply, answer)


def _is_tagged(kind: Any) -> bool:
    is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return is_struct and kind.__struct_config__.tag_field == "type"


def _unfit(name: str, why: str) -> InputError:
    return InputError(f"panel {name!r} (lastseen.{_GROUP}) {why}")
