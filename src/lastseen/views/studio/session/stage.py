"""A stage to play or watch: a setting, its cells, and the player's agent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ....agents.brains.shipped_brains import PUPPET, STYLES
from ....cells.layout import CellLayout
from ....compilation.interpretation import kernels_interpreted
from ....compilation.preparation import kernels_on_demand
from ....errors import InputError, RecordingError, did_you_mean
from ....level.level import Level
from ....navmesh.body import Body
from ....simulation.recording.format import About
from ....simulation.recording.recording import Recording
from ....simulation.recording.world_columns import about_of
from ....simulation.scenario.reader import Setting, setting_of
from ....simulation.scenario.scenario import AgentSpec, Scenario
from ....simulation.world.setup import make_world
from ....simulation.world.world import World

DIFFICULTIES: dict[str, dict[str, Any]] = {
    "easy": {"chase": "easy", "vision": "coffin", "hearing": "radius", "sharing": "private", "search_seconds": 20.0},
    "normal": {"chase": "normal", "vision": "coffin", "hearing": "path", "sharing": "on contact"},
    "hard": {"chase": "hard", "vision": "zones", "hearing": "path", "sharing": "broadcast", "search_seconds": 60.0},
}
"""By difficulty: how far guards chase a lost target, and how they see, hear, share knowledge and search."""
YOU = "you"
OPPONENTS = (YOU, *STYLES)
"""Who may move the intruder in a level: the player, or a brain."""

PLAY_SECONDS = 900.0
"""Maximum seconds of a game."""
_NAME = "you"


@dataclass(frozen=True, eq=False)
class Stage:
    """Everything needed to create the same world repeatedly.

    Attributes
    ----------
    layout : the cells, baked once.
    name : its title; `source`: the name it was opened by; `kind`: "level", "scenario" or "recording".
    seed : overrides the scenario's seed; a recording may have been made with another.
    player : number of the agent moved by the player; None: watching only.
    opponent : the brain that moves the player's agent of a level instead, or "you": the player does.
    """

    setting: Setting
    layout: CellLayout
    name: str
    source: str
    kind: str
    player: int | None
    difficulty: str = "normal"
    recording: Recording | None = None
    seed: int | None = None
    opponent: str = YOU

    @kernels_on_demand()
    def world(self) -> World:
        """Create the world at its first moment; what its first steps need was compiled ahead, the rest will be."""
        with kernels_interpreted():
            return make_world(self.setting, cells=self.layout, seed=self.seed)


def stage_of_level(
    level: Level, source: str, difficulty: str = "normal", before: Stage | None = None, opponent: str = YOU
) -> Stage:
    """Return a game in a level: all agents it spawns, and the player where it spawns one, else away from guards.

    With an `opponent`, a brain of `STYLES`, that moves the player's agent, and the game is watched.
    """
    if difficulty not in DIFFICULTIES:
        raise InputError(
            f"no difficulty {difficulty!r}{did_you_mean(difficulty, DIFFICULTIES)}; there are {', '.join(DIFFICULTIES)}"
        )
    if opponent not in OPPONENTS:
        known = ", ".join(OPPONENTS)
        raise InputError(f"no opponent {opponent!r}{did_you_mean(opponent, OPPONENTS)}; there are {known}")
    name = level.name or Path(source).stem
    scenario = Scenario(source, name=name, seconds=PLAY_SECONDS, **DIFFICULTIES[difficulty])
    layout = _layout(level, scenario, before)
    agents, player = _cast(level, layout)
    if opponent != YOU:
        moved = msgspec.structs.replace(agents[player], brain=opponent)
        agents = (*agents[:player], moved, *agents[player + 1 :])
    setting = setting_of(msgspec.structs.replace(scenario, agents=agents), level=level)
    shown = player if opponent == YOU else None
    return Stage(setting, layout, name, source, "level", shown, difficulty, opponent=opponent)


def stage_of_setting(setting: Setting, source: str, before: Stage | None = None) -> Stage:
    """Return a scenario to watch, or to play if one of its agents is a puppet."""
    agents = setting.agents
    player = next((number for number, spec in enumerate(agents) if spec.brain == PUPPET), None)
    name = setting.scenario.name or Path(source).stem
    layout = _layout(setting.level, setting.scenario, before)
    return Stage(setting, layout, name, source, "scenario", player)


def stage_of_recording(recording: Recording, level: Level | None, source: str, folder: Path) -> Stage:
    """Return the stage of a recording, to be shown and continued; it may refer to files in `folder` only.

    Raise RecordingError if it has no steps, its level or scenario cannot be read, or its level now gives other cells.
    """
    if not len(recording) or level is None:
        what = "has no readable level" if len(recording) else "has no steps"
        raise RecordingError(f"{source}: {what}; run the scenario again")
    try:
        scenario = msgspec.json.decode(recording.about.scenario, type=Scenario)
    except msgspec.MsgspecError as error:
        raise RecordingError(f"{source}: the scenario cannot be read: {error}") from None
    setting = setting_of(scenario, folder=folder, level=level, within=folder)
    layout = _layout(level, scenario, None)
    name = scenario.name or Path(source).stem
    player, difficulty = _players(recording, setting)
    stage = Stage(setting, layout, name, source, "recording", player, difficulty, recording, recording.about.seed)
    _require_match(recording, stage)
    return stage


def _players(recording: Recording, setting: Setting) -> tuple[int | None, str]:
    """Return the player's agent and the difficulty noted in a recording, or None and "normal"."""
    player, difficulty = (recording.about.notes.get(name) for name in ("player", "difficulty"))
    known = [number for number, spec in enumerate(setting.agents) if spec.brain == PUPPET]
    return (player if player in known else None), (difficulty if difficulty in DIFFICULTIES else "normal")


def _require_match(recording: Recording, stage: Stage) -> None:
    """Raise for a recording that does not match what its own level and scenario give today."""
    given, made = recording.about, about_of(stage.world())
    same = all(getattr(given, name) == getattr(made, name) for name in ("agents", "layers", "step"))
    same &= _columns(given) == _columns(made)
    same &= all(given.notes.get(name) == made.notes[name] for name in ("teams", "watchers", "targets"))
    if not same or len(given.trees) != len(made.trees):
        raise RecordingError(f"{stage.source}: no longer matches its own level and scenario; run it again")


def _columns(about: About) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return names, types and shapes of the columns; recordings of the studio have room for larger trees."""
    return [(one.name, one.dtype, one.shape[:1] if one.name == "tree" else one.shape) for one in about.columns]


def _layout(level: Level, scenario: Scenario, before: Stage | None) -> CellLayout:
    """Bake the level, unless the previous stage had the same level and cells."""
    if before is not None and before.setting.level == level:
        old = before.setting.scenario
        if (old.radius, old.cell) == (scenario.radius, scenario.cell):
            return before.layout
    return CellLayout.from_level(level, Body(radius=scenario.radius), cell=scenario.cell)


def _cast(level: Level, layout: CellLayout) -> tuple[tuple[AgentSpec, ...], int]:
    """Return the agents that take part, and the number of the player's."""
    agents: list[AgentSpec] = []
    player = None
    for spawn in level.spawns:
        brain = spawn.who if spawn.who in ("guard", "civilian") else "runner"
        if brain == "runner" and player is None:
            brain, player = PUPPET, len(agents)
        name = spawn.name or (_NAME if brain == PUPPET else spawn.who)
        agents.append(AgentSpec(_unused(name, agents), brain, spawn.xyz, spawn.heading, spawn.patrol or None))
    if player is None:
        player = len(agents)
        at = _away_from([spec.at for spec in agents if spec.at is not None], layout)
        agents.append(AgentSpec(_unused(_NAME, agents), PUPPET, at))
    return tuple(agents), player


def _unused(name: str, agents: list[AgentSpec]) -> str:
    taken = {spec.name for spec in agents}
    if name not in taken:
        return name
    stem = re.sub(r" \d+$", "", name)
    return next(f"{stem} {number}" for number in range(2, len(taken) + 3) if f"{stem} {number}" not in taken)


def _away_from(others: list[tuple[float, ...]], layout: CellLayout) -> tuple[float, float, float]:
    """Return the cell furthest from all others; the first if there are none."""
    places = layout.arrays.cell_xyz.astype(np.float64)
    cell = 0
    if others:
        given = np.array([(*at, 0.0)[:3] for at in others])
        metres = np.min([np.linalg.norm(places - one, axis=1) for one in given], axis=0)
        cell = int(metres.argmax())
    x, y, z = places[cell].tolist()
    return x, y, z
