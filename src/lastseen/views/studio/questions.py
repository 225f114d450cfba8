"""Questions about a moment: why an agent does what it does, what a cell holds, where a guard would run."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import msgspec
import numpy as np

from ...cells.layout import CellLayout
from ...cells.live import LiveLayout
from ...cells.query import neighbours
from ...errors import InputError
from ...reasoning.chase.chase import Chase
from ...reasoning.chase.loss import Loss, View
from ...reasoning.chase.prediction import Flood
from ...reasoning.chase.settings import ChaseSettings, preset
from ...simulation.account import account_of
from .game import LAYERS, Game
from .messages import WhatIf

__all__ = ["account_answer", "cell_answer", "flood_answer"]


def account_answer(game: Game, agent: int, tick: int | None) -> dict[str, Any]:
    """Return all that is known of an agent at a step."""
    names = game.recording.about.agents
    if agent >= len(names):
        raise InputError(f"there is no agent {agent}; they are 0 to {len(names) - 1}")
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
        raise InputError(f"there is no cell {cell}; they are 0 to {len(layout) - 1}")
    _, layers = game.now()
    live: CellLayout | LiveLayout = layout if game.world is None else game.world.cells
    return {
        "type": "cell",
        "cell": cell,
        "tick": game.shown,
        "at": layout.arrays.cell_xyz[cell].astype(np.float64).tolist(),
        "face": int(layout.cell_face[cell]),
        "neighbours": neighbours(live, cell)[0].tolist(),
        "layers": {name: int(values[cell]) for name, values in zip(LAYERS, layers)},
    }


def flood_answer(game: Game, asked: WhatIf) -> dict[str, Any]:
    """Return floods of some presets from one loss, with the command and the code that give the same."""
    cells: CellLayout | LiveLayout = game.stage.layout if game.world is None else game.world.cells
    guard = None if asked.guard is None else np.array(asked.guard)
    loss = Loss(
        np.array(asked.seen),
        np.array((*asked.heading, 0.0)),
        guard_at=guard,
        guard_view=None if guard is None else View(angle=2.0 * math.pi),
    )
    changes = {name: value for name, value in msgspec.structs.asdict(asked.settings).items() if value is not None}
    results = [_flood(game, cells, loss, name, changes, asked) for name in asked.presets]
    return {"type": "flood", "seen": list(asked.seen), "heading": list(asked.heading), "results": results}


def _flood(
    game: Game, cells: CellLayout | LiveLayout, loss: Loss, name: str, changes: dict[str, Any], asked: WhatIf
) -> dict[str, Any]:
    settings = _settings(name, changes)
    flood = Chase(cells, settings=settings).predict(loss)
    assert isinstance(flood, Flood)
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
        "command": _command(game, name, changes, asked),
        "python": _python(game, name, changes, asked),
    }


def _settings(name: str, changes: dict[str, Any]) -> ChaseSettings:
    settings = preset(name)
    if settings.barrier != "momentum" or settings.cone is not None or settings.exits != "hidden":
        changes = {key: value for key, value in changes.items() if key != "behind"}
    return settings.but(**changes)


def _numbers(values: tuple[float, ...]) -> str:
    return ",".join(f"{round(value, 2):g}" for value in values)


def _command(game: Game, name: str, changes: dict[str, Any], asked: WhatIf) -> str:
    scenario = game.stage.setting.scenario
    words = [f"lastseen chase {_quoted(scenario.level)} --seen {_numbers(asked.seen)}"]
    if any(asked.heading):
        words.append(f"--heading {_numbers(asked.heading)}")
    words.append(f"--preset {_quoted(name)}")
    if asked.guard is not None:
        words.append(f"--guard {_numbers(asked.guard)}")
    words += [f"--{key.replace('_', '-')} {value}" for key, value in changes.items()]
    words.append(f"--cell {scenario.cell:g} --radius {scenario.radius:g}")
    return " ".join(words)


def _quoted(word: str) -> str:
    return word if word.isidentifier() else "'" + word.replace("'", "'\\''") + "'"


def _python(game: Game, name: str, changes: dict[str, Any], asked: WhatIf) -> str:
    scenario = game.stage.setting.scenario
    opened = f"Level.sample({scenario.level!r})" if scenario.level.isidentifier() else f"Level.read({scenario.level!r})"
    settings = f"PRESETS[{name!r}]" + (
        f".but({', '.join(f'{k}={v!r}' for k, v in changes.items())})" if changes else ""
    )
    guard, needed = "", "Loss"
    if asked.guard is not None:
        guard, needed = f", guard_at=({_numbers(asked.guard)}), guard_view=View(angle=6.283185307179586)", "Loss, View"
    return "\n".join(
        [
            "from lastseen import Agent, CellLayout, Chase, Level, NavMesh",
            f"from lastseen.reasoning.chase.loss import {needed}",
            "from lastseen.reasoning.chase.settings import PRESETS",
            "",
            f"mesh = NavMesh.from_level({opened}, Agent(radius={scenario.radius:g}))",
            f"cells = CellLayout.from_navmesh(mesh, cell={scenario.cell:g})",
            f"chase = Chase(cells, settings={settings})",
            f"loss = Loss(({_numbers(asked.seen)}), ({_numbers((*asked.heading, 0.0))}){guard})",
            "print(chase.predict(loss).destination.tolist())",
        ]
    )
