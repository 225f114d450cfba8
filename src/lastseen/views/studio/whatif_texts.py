"""The command line and the Python code that give the same flood as the page."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ...level.samples import SAMPLES
from .folder import UPLOADED
from .game import Game
from .messages import WhatIf
from .stage import Stage

__all__ = ["FloodTexts", "as_written"]


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
    def command(self) -> str:
        """The same on the command line, in the open folder."""
        scenario, asked = self.game.stage.setting.scenario, self.asked
        words = ["lastseen", "chase", level_name(self.game.stage), "--seen", _numbers(asked.seen)]
        if any(asked.heading):
            words += ["--heading", _numbers(asked.heading)]
        words += ["--preset", self.preset]
        if asked.guard is not None:
            words += ["--guard", _numbers(asked.guard)]
        for key, value in self.changes.items():
            words += [f"--{key.replace('_', '-')}", str(value)]
        for door in self.game.cells.shut_doors:
            words += ["--shut-door", str(door)]
        return shlex.join([*words, "--cell", f"{scenario.cell:.10g}", "--radius", f"{scenario.radius:.10g}"])

    @property
    def python(self) -> str:
        """The same in Python; it prints the destination."""
        scenario, asked, doors = self.game.stage.setting.scenario, self.asked, self.game.cells.shut_doors
        name = level_name(self.game.stage)
        settings = f"PRESETS[{self.preset!r}]"
        if self.changes:
            settings += f".but({', '.join(f'{key}={value!r}' for key, value in self.changes.items())})"
        guard, needed = "", "Loss, NavMesh"
        if asked.guard is not None:
            guard = f", guard_at=({_numbers(asked.guard)}), guard_view=View(angle=6.283185307179586)"
            needed = "Loss, NavMesh, View"
        cells = f"CellLayout.from_navmesh(mesh, cell={scenario.cell!r})"
        return "\n".join(
            [
                f"from lastseen import Agent, CellLayout, Chase, Level, {'LiveLayout, ' if doors else ''}{needed}",
                "from lastseen.chase import PRESETS",
                "",
                *([f"# {self.note}"] if self.note else []),
                f"level = Level.{'sample' if name in SAMPLES else 'read'}({name!r})",
                f"mesh = NavMesh.from_level(level, Agent(radius={scenario.radius!r}))",
                f"cells = LiveLayout({cells})" if doors else f"cells = {cells}",
                *(f"cells.close_door(level, {door})  # {self._door(door)}" for door in doors),
                f"chase = Chase(cells, settings={settings})",
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
    beside = PurePath(stage.source).parent if stage.kind == "scenario" else PurePath()
    return PurePath(os.path.normpath(beside / level)).as_posix()


def _numbers(values: tuple[float, ...]) -> str:
    return ",".join(f"{value:.7g}" for value in values)
