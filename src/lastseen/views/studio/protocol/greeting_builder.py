"""Build the greeting of a page, everything that stays unchanged during a run, and the faces and links on request."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

import numpy as np

from .... import __version__
from ....agents.brains.relations import TEAMS
from ....agents.senses.hearing.sounds import SOUNDS
from ....cells.layout import CellLayout
from ....conventions import Array
from ....navmesh.navmesh import NavMesh
from ....reasoning.chase.flood.chase_settings import PRESETS
from ....reasoning.chase.predictors import added_predictors
from ....simulation.scenario.scenario import powers_of
from ....vocabulary.words import (
    GUARD_STATES,
    AgentMode,
    AgentState,
    Blow,
    EndReason,
    FloodStop,
    MarkerKind,
    SpawnKind,
    SpotState,
    TrapEffect,
    ZoneKind,
)
from ...scene import sights
from ...scene.signs import looks
from ...scene.timings import TIMINGS
from ..session.folder import FILE_RULES
from ..session.game import Game
from ..session.stage import DIFFICULTIES, OPPONENTS
from .crew_state import crew_notes, fight_notes
from .greeting import AgentLooks, Cells, Hello, LayerKind, ObjectShown, ViewShape, Vocabulary
from .layers import RECORDED
from .level_outline import drawing_of, face_storeys_shown
from .news import CellLinks, MeshDrawing, MeshFaces


def greeting_of(game: Game, kinds: tuple[LayerKind, ...] = RECORDED) -> Hello:
    """Return the greeting for what was opened, without its state and menus; `kinds` are the layers offered."""
    stage, about = game.stage, game.recording.about
    level, layout = stage.setting.level, stage.layout
    return Hello(
        version=__version__,
        title=stage.name,
        kind=stage.kind,
        source=stage.source,
        difficulty=stage.difficulty,
        opponent=stage.opponent,
        step=about.step,
        player=stage.player,
        objects=tuple(ObjectShown(**note) for note in about.notes.get("objects", ())),
        powers=() if stage.player is None else powers_of(stage.setting.scenario, stage.setting.agents[stage.player]),
        vocabulary=VOCABULARY,
        agents=_agents(game),
        watchers=about.notes["watchers"],
        targets=about.notes["targets"],
        layers=kinds,
        level=drawing_of(level, layout.mesh),
        cells=cells_part(layout, face_storeys_shown(level, layout.mesh)[layout.cell_face]),
        crews=crew_notes(game),
        fights=fight_notes(game),
        difficulties=list(DIFFICULTIES),
        opponents=list(OPPONENTS),
        presets=[*PRESETS, *added_predictors()],
        timings=TIMINGS,
        looks=looks(),
    )


def _agents(game: Game) -> list[AgentLooks]:
    about, stage = game.recording.about, game.stage
    teams, watchers, targets = (about.notes[name] for name in ("teams", "watchers", "targets"))
    shapes = sights.view_shapes(stage.setting, watchers)
    return [
        AgentLooks(
            name=name,
            team=TEAMS[teams[number]],
            watcher=number in watchers,
            target=number in targets,
            radius=stage.setting.scenario.radius,
            tree=about.trees[number].splitlines() if number < len(about.trees) else [],
            brain=stage.setting.agents[number].brain,
            view=_view(shapes, number),
        )
        for number, name in enumerate(about.agents)
    ]


def _view(shapes: Mapping[int, sights.ViewShape], number: int) -> ViewShape | None:
    """Return the outlines of a watcher's view in the frame of its head, metres: x ahead, y counter-clockwise of it."""
    shape = shapes.get(number)
    if shape is None:
        return None
    inner, outer = ([np.round(one, 3).tolist() for one in part] for part in (shape.inner, shape.outer))
    return ViewShape(inner, outer, shape.far)


def cells_part(layout: CellLayout, storey: Array) -> Cells:
    """Return cells to draw, each with its storey."""
    arrays = layout.arrays
    return Cells(
        count=len(layout),
        size=arrays.size_xyz.tolist(),
        origin=arrays.origin_xyz.tolist(),
        shape=arrays.shape.tolist(),
        column=base64(arrays.cell_grid[:, 0], "<u2"),
        row=base64(arrays.cell_grid[:, 1], "<u2"),
        level=base64(arrays.cell_grid[:, 2], "<u2"),
        storey=base64(np.clip(storey, 0, 255), "|u1"),
        xyz=base64(arrays.cell_xyz, "<f4"),
    )


def base64(values: Array, dtype: str) -> str:
    """Return numbers as base64 of their little-endian bytes."""
    return b64encode(np.ascontiguousarray(values, dtype).tobytes()).decode()


def faces_part(mesh: NavMesh, storey: Array) -> MeshFaces:
    """Return the faces of a navmesh to draw, each with its storey."""
    return MeshFaces(
        count=mesh.face_count,
        corners=base64(mesh.arrays.face_count, "<u2"),
        storey=base64(np.clip(storey, 0, 255), "|u1"),
        xyz=base64(mesh.arrays.vertex_xyz[mesh.arrays.face_vertex], "<f4"),
    )


def mesh_answer(game: Game) -> MeshDrawing:
    """Return faces and links, without links that are blocked now; of a recording, all links."""
    layout = game.stage.layout
    live, mesh = layout if game.world is None else game.world.cells, layout.mesh
    cells = live.arrays
    count = cells.link_start[1:].astype(np.int64) - cells.link_start[:-1].astype(np.int64)
    start = np.repeat(np.arange(len(layout)), count)
    end = cells.link_cell.astype(np.int64)
    barred = np.unpackbits(cells.blocked, bitorder="little", count=len(end)).astype(bool)
    disabled = np.unpackbits(cells.disabled, bitorder="little", count=len(layout)).astype(bool)
    # Links go both ways; one line is enough.
    shown = (start < end) & ~barred & ~disabled[start] & ~disabled[end]
    return MeshDrawing(
        faces=faces_part(mesh, face_storeys_shown(game.stage.setting.level, mesh)),
        links=CellLinks(int(shown.sum()), base64(np.stack([start[shown], end[shown]], axis=1), "<u4")),
    )


_ENDS = {
    EndReason.CAUGHT: "Caught.",
    EndReason.ESCAPED: "You escaped.",
    EndReason.BEATEN: "Beaten.",
    EndReason.TIME_OVER: "Time is up.",
}
"""Titles of the card at the end of a game; other reasons have a sentence only."""
_FLOOD_STOPS = {
    FloodStop.TOO_MANY: "stopped: the area is too wide for a guess",
    FloodStop.MAX_STEPS: "reached the step limit",
    FloodStop.NO_CELLS: "filled the whole area",
    FloodStop.RUNNING: "still running",
}
VOCABULARY = Vocabulary(
    states=AgentState.texts(),
    guard_states=GUARD_STATES,
    modes=AgentMode.texts(),
    blows=Blow.texts(),
    spot_states=SpotState.texts(),
    ends={reason.value: title for reason, title in _ENDS.items()},
    flood_stops={reason.value: words for reason, words in _FLOOD_STOPS.items()},
    markers=tuple(kind for kind in MarkerKind if kind is not MarkerKind.MARKER),
    zones=ZoneKind.texts(),
    spawns=SpawnKind.texts(),
    sounds=tuple(SOUNDS),
    traps=TrapEffect.texts(),
    files=FILE_RULES,
)
