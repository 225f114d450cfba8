"""Answer questions about a moment: why an agent acts, what a cell holds, where a guard would run."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import msgspec
import numpy as np

from ...cells.query import neighbours
from ...errors import InputError
from ...reasoning.chase.flood.chase import Chase
from ...reasoning.chase.flood.chase_settings import preset
from ...reasoning.chase.loss import Loss, View
from ...reasoning.chase.prediction import Flood
from ...simulation.replay.account import account_of
from .game import LAYERS, Game
from .messages import WhatIf
from .whatif_texts import FloodTexts, as_written

__all__ = ["account_answer", "cell_answer", "flood_answer"]


def account_answer(game: Game, agent: int, tick: int | None) -> dict[str, Any]:
    """Return everything known about an agent at a step."""
    names = game.recording.about.agents
    if agent >= len(names):
        raise InputError(f"there is no agent {agent}; agents are 0 to {len(names) - 1}")
    when = min(game.shown if tick is None else tick, game.ticks - 1)
    account = account_of(game.recording, names[agent], when * game.recording.about.step)
    plain: dict[str, Any] = asdict(account)
    plain["decision"] = msgspec.to_builtins(account.decision)
    plain["before"] = msgspec.to_builtins(account.before)
    return {"type": "account", "number": agent, **plain}


def cell_answer(game: Game, cell: int) -> dict[str, Any]:
    """Return what a cell holds at the step shown."""
    layout = game.stage.layout
    if cell >= len(layout):
        raise InputError(f"there is no cell {cell}; cells are 0 to {len(layout) - 1}")
    _, layers = game.now()
    return {
        "type": "cell",
        "cell": cell,
        "tick": game.shown,
        "at": layout.arrays.cell_xyz[cell].astype(np.float64).tolist(),
        "face": int(layout.cell_face[cell]),
        "neighbours": neighbours(game.cells, cell)[0].tolist(),
        "layers": {name: int(values[cell]) for name, values in zip(LAYERS, layers)},
    }


def flood_answer(game: Game, asked: WhatIf) -> dict[str, Any]:
    """Return floods of some presets from one loss, with the command and the code that give the same."""
    # The texts give numbers to seven digits; round first, so that all three start at the same place.
    asked = msgspec.structs.replace(
        asked,
        seen=as_written(asked.seen),
        heading=as_written(asked.heading),
        guard=None if asked.guard is None else as_written(asked.guard),
    )
    guard = None if asked.guard is None else np.array(asked.guard)
    loss = Loss(
        np.array(asked.seen),
        np.array((*asked.heading, 0.0)),
        guard_at=guard,
        guard_view=None if guard is None else View(angle=2.0 * math.pi),
    )
    changes = {name: value for name, value in msgspec.structs.asdict(asked.settings).items() if value is not None}
    results = [_flood(game, loss, name, changes, asked) for name in asked.presets]
    return {"type": "flood", "seen": list(asked.seen), "heading": list(asked.heading), "results": results}


def _flood(game: Game, loss: Loss, name: str, changes: dict[str, Any], asked: WhatIf) -> dict[str, Any]:
    changes = _possible(name, changes)
    settings = preset(name).but(**changes)
    flood = Chase(game.cells, settings=settings).predict(loss)
    assert isinstance(flood, Flood)
    texts = FloodTexts(game, name, changes, asked)
    return {
        "preset": name,
        "destination": flood.destination.tolist(),
        "destination_cell": int(flood.cell),
        "reason": flood.reason,
        "steps": flood.steps,
        "heated": flood.heated.tolist(),
        "warm": np.stack([flood.warm, flood.values, flood.heated_in], axis=1).tolist(),
        "cold": np.stack([flood.cold, flood.cold_in], axis=1).tolist(),
        "barrier": flood.barrier.tolist(),
        "closed": flood.closed.tolist(),
        "has_barrier": flood.has_barrier,
        "fell_back": flood.fell_back,
        "hot": settings.hot,
        "max_heated": settings.max_heated,
        "max_steps": settings.max_steps,
        "command": texts.command,
        "python": texts.python,
        "note": texts.note,
    }


def _possible(name: str, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the changes a preset can take: only some barriers have a `behind`."""
    settings = preset(name)
    if settings.barrier != "momentum" or settings.cone is not None or settings.exits != "hidden":
        return {key: value for key, value in changes.items() if key != "behind"}
    return changes
