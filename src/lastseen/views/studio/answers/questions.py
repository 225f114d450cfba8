"""Answer the mode What if: where a guard would run, and the command and code that compute the same."""

from __future__ import annotations

import math
import os
import shlex
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import msgspec
import numpy as np

from ....level.samples import SAMPLES
from ....navmesh.body import Body
from ....reasoning.chase.flood.chase import Chase
from ....reasoning.chase.flood.chase_settings import FAITHFUL, PRESETS, preset
from ....reasoning.chase.loss import Loss, View
from ....reasoning.chase.prediction import Flood
from ....reasoning.chase.predictors import added_predictors, predictor_kind
from ..protocol.messages import WhatIf
from ..protocol.news import FloodResult, Floods
from ..session.folder import UPLOADED
from ..session.game import Game
from ..session.stage import Stage


def as_written(values: tuple[float, ...]) -> tuple[float, ...]:
    """Return numbers as the texts give them, so that floods of the page and of the texts start at the same place."""
    return tuple(float(f"{value:.7g}") + 0.0 for value in values)


@dataclass(frozen=True)
class FloodTexts:
    """Texts to copy for a flood by a preset, with the changes it can take; `asked` is already rounded."""

    game: Game
    preset: str
    changes: dict[str, Any]
    asked: WhatIf

    @property
    def is_flood(self) -> bool:
        """Whether it is a preset of the chase, not a predictor of another program."""
        return self.preset in PRESETS

    @property
    def command(self) -> str:
        """The equivalent command line, to be run in the open folder."""
        scenario, asked = self.game.stage.setting.scenario, self.asked
        words = ["lastseen", "chase", level_name(self.game.stage), "--seen", _numbers(asked.seen)]
        if any(asked.heading):
            words += ["--heading", _numbers(asked.heading)]
        words += ["--preset" if self.is_flood else "--predictor", self.preset]
        if asked.guard is not None:
            words += ["--guard", _numbers(asked.guard)]
        for key, value in self.changes.items():
            words += [f"--{key.replace('_', '-')}", str(value)]
        for door in self.game.cells.shut_doors:
            words += ["--shut-door", str(door)]
        if scenario.cell is not None:
            words += ["--cell", f"{scenario.cell:.10g}"]
        if scenario.radius != Body().radius:
            words += ["--radius", f"{scenario.radius:.10g}"]
        return shlex.join(words)

    @property
    def python(self) -> str:
        """Equivalent Python code, which prints the destination."""
        scenario, asked, doors = self.game.stage.setting.scenario, self.asked, self.game.cells.shut_doors
        name = level_name(self.game.stage)
        settings = f"PRESETS[{self.preset!r}]"
        if self.changes:
            settings += f".but({', '.join(f'{key}={value!r}' for key, value in self.changes.items())})"
        guard, needed = "", "Loss"
        if asked.guard is not None:
            guard = f", guard_at=({_numbers(asked.guard)}), guard_view=View(angle=6.283185307179586)"
            needed = "Loss, View"
        body = "" if scenario.radius == Body().radius else f", Body(radius={scenario.radius!r})"
        edge = "" if scenario.cell is None else f", cell={scenario.cell!r}"
        cells = f"CellLayout.from_level(level{body}{edge})"
        chase = (
            f"Chase(cells, settings={settings})" if self.is_flood else f"predictor_kind({self.preset!r}).made(cells)"
        )
        names = ["CellLayout", *["Chase"] * self.is_flood, "Level"]
        imported = ["Body"] * bool(body) + names + ["LiveLayout"] * bool(doors) + [needed]
        return "\n".join(
            [
                f"from lastseen import {', '.join(imported)}",
                f"from lastseen.chase import {'PRESETS' if self.is_flood else 'predictor_kind'}",
                "",
                *([f"# {self.note}"] if self.note else []),
                f"level = Level.{'sample' if name in SAMPLES else 'read'}({name!r})",
                f"cells = LiveLayout({cells})" if doors else f"cells = {cells}",
                *(f"cells.close_door(level, {door})  # {self._door(door)}" for door in doors),
                f"chase = {chase}",
                f"loss = Loss(({_numbers(asked.seen)}), ({_numbers((*asked.heading, 0.0))}){guard})",
                "print(chase.predict(loss).destination.tolist())",
            ]
        )

    @property
    def note(self) -> str:
        """A remark to read before using them; may be empty."""
        stage = self.game.stage
        if stage.source.startswith(UPLOADED):
            return f"{level_name(stage)} was uploaded to the studio; run this where your own copy is"
        return ""

    def _door(self, number: int) -> str:
        named = self.game.stage.setting.level.doors[number].name
        return " ".join(named.split()) or "locked"


def level_name(stage: Stage) -> str:
    """Return the sample or the file of a stage's level, relative to the open folder."""
    level = stage.setting.scenario.level
    if level in SAMPLES:
        return level
    if stage.source.startswith(UPLOADED):
        return PurePath(level).name
    home = PurePath(stage.source).parent if stage.kind == "scenario" else PurePath()
    return PurePath(os.path.normpath(home / level)).as_posix()


def _numbers(values: tuple[float, ...]) -> str:
    return ",".join(f"{value:.7g}" for value in values)


def flood_answer(game: Game, asked: WhatIf) -> Floods:
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
    added = added_predictors()  # only names that are in use: a page may not import code
    results = [
        _prediction(game, loss, name, asked) if name in added else _flood(game, loss, name, changes, asked)
        for name in asked.presets
    ]
    return Floods(seen=asked.seen, heading=asked.heading, results=results)


def _flood(game: Game, loss: Loss, name: str, changes: dict[str, Any], asked: WhatIf) -> FloodResult:
    changes = _possible(name, changes)
    settings = preset(name).but(**changes)
    flood = Chase(game.cells, settings=settings).predict(loss)
    assert isinstance(flood, Flood)
    texts = FloodTexts(game, name, changes, asked)
    return FloodResult(
        preset=name,
        destination=flood.destination.tolist(),
        destination_cell=int(flood.cell),
        reason=flood.reason,
        steps=flood.steps,
        heated=flood.heated.tolist(),
        warm=np.stack([flood.warm, flood.values, flood.heated_in], axis=1).tolist(),
        cold=np.stack([flood.cold, flood.cold_in], axis=1).tolist(),
        barrier=flood.barrier.tolist(),
        closed=flood.closed.tolist(),
        has_barrier=flood.has_barrier,
        fell_back=flood.fell_back,
        hot=settings.hot,
        max_heated=settings.max_heated,
        max_steps=settings.max_steps,
        command=texts.command,
        python=texts.python,
        note=texts.note,
    )


def _prediction(game: Game, loss: Loss, name: str, asked: WhatIf) -> FloodResult:
    """Return what a predictor of another program says: a place, without steps; its cell is the only warm one."""
    found, texts = predictor_kind(name).made(game.cells).predict(loss), FloodTexts(game, name, {}, asked)
    usual = preset(FAITHFUL)
    return FloodResult(
        preset=name,
        destination=found.destination.tolist(),
        destination_cell=int(found.cell),
        reason=found.reason,
        steps=0,
        heated=[],
        warm=[(int(found.cell), 1, 0)] if found.cell >= 0 else [],
        cold=[],
        barrier=[],
        closed=[],
        has_barrier=False,
        fell_back="",
        hot=usual.hot,
        max_heated=usual.max_heated,
        max_steps=usual.max_steps,
        command=texts.command,
        python=texts.python,
        note=texts.note,
    )


def _possible(name: str, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the changes a preset can take: only some barriers have a `behind`."""
    settings = preset(name)
    if settings.barrier != "momentum" or settings.cone is not None or settings.exits != "hidden":
        return {key: value for key, value in changes.items() if key != "behind"}
    return changes
