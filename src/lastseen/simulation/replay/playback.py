"""A recording with its level: any moment of it, with crews, roles and places, ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from ...agents.bodies.bodies import GONE, STANCES
from ...agents.brains.surroundings import STATES, TEAMS
from ...agents.senses.vision.vision import VISIONS, stretched
from ...cells.layout import CellLayout
from ...cells.live import LiveLayout
from ...conventions import Array, Floats
from ...errors import LastSeenError, RecordingError
from ...kernels.arrays.agent_arrays import ACTIVE
from ...kernels.search.search_wave import VALUE
from ...level.level import Level
from ...level.sight.query import visible_areas
from ...level.sight.sight import Sight
from ...navmesh.agent import Agent
from ...navmesh.query import find_path
from ..recording.crew_columns import ROLE
from ..recording.recording import Frame, Recording
from ..scenario.scenario import Scenario
from .account import MODES
from .moments import Ghost, Lately, Moment, Person, Post
from .story import level_of
from .view_shapes import SeenArea, ViewShape, view_shape

__all__ = ["Film", "posts_of"]

_FORGOTTEN, _FRESH = 90.0, 0.25
"""Seconds after which a belief is no longer shown, and before which it is as good as sight."""
_NEEDED = ("xyz", "heading", "gaze", "mode", "stance", "state", "going", "goal", "awareness", "visible")
_KNOWN = ("known_xyz", "known_direction", "known_time", "known_source", "doors")
_EMPTY = np.zeros((0, 3))


class Film:
    """A recording with its level baked again, so that views, ways and cells can be drawn.

    `layout` are the cells of its level, where they are baked already.

    Raises
    ------
    RecordingError
        It holds no steps, lacks what pictures need, or its level gives other cells than it was recorded with.
    """

    def __init__(self, recording: Recording, *, layout: CellLayout | None = None):
        self.recording = recording
        about = recording.about
        missing = sorted({*_NEEDED, *_KNOWN} - {column.name for column in about.columns})
        level = level_of(recording)
        if missing or level is None:
            what = f"no {', '.join(missing)}" if missing else "no level"
            raise RecordingError(f"{recording.source}: holds {what}, so it cannot be drawn; run the scenario again")
        if not len(recording):
            raise RecordingError(f"{recording.source}: holds no steps; run the scenario again")
        self.level: Level = level
        self.layout = self._baked(layout)
        self._live = LiveLayout(self.layout)
        self._sight = Sight.from_level(level)
        for number, door in enumerate(level.doors):
            if door.locked:
                self._live.close_door(level, number)
        self._lately = Lately(recording)
        self._teams, self._watchers, self._targets = (
            _numbers(recording, name, len(about.agents)) for name in ("teams", "watchers", "targets")
        )
        self._shapes = self._view_shapes()

    @property
    def name(self) -> str:
        """What it is of: the scenario, or its level."""
        return self._scenario.name or self.level.name or "recording"

    def moment(self, tick: int) -> Moment:
        """Return what there is to see at a step."""
        frame = self.recording.frame(tick)
        now, columns = tick * self.recording.about.step, frame.columns
        shown = np.flatnonzero(columns["mode"] != GONE).tolist()
        people = self._people(columns, shown)
        search = frame.layers.get("search")
        # What is left of it while all chase or fight says nothing of what they do.
        searches = search is not None and any(person.state == "search" for person in people)
        values = search & VALUE if search is not None and searches else None
        return Moment(
            tick=tick,
            seconds=now,
            people=people,
            ghosts=self._ghosts(columns, now),
            flood=self._lately.flood(tick, len(self.layout)),
            search=values if values is not None and values.any() else None,
            bubbles=self._lately.bubbles(tick, shown),
            noises=self._lately.noises(tick),
            door_shut=columns["doors"].astype(np.bool_),
            posts=posts_of(frame, shown),
        )

    def _baked(self, layout: CellLayout | None) -> CellLayout:
        about = self.recording.about
        try:
            self._scenario = msgspec.json.decode(about.scenario, type=Scenario)
            if layout is None:
                agent = Agent(radius=self._scenario.radius)
                layout = CellLayout.from_level(self.level, agent, cell=self._scenario.cell)
        except (msgspec.MsgspecError, LastSeenError) as error:
            raise RecordingError(f"{self.recording.source}: its level cannot be baked again: {error}") from None
        for one in about.layers:
            if one.cells != len(layout):
                raise RecordingError(
                    f"{self.recording.source}: layer {one.name!r} has {one.cells} cells, but its level gives "
                    f"{len(layout)}: recorded by lastseen {about.lastseen}; run the scenario again"
                )
        return layout

    def _view_shapes(self) -> dict[int, ViewShape]:
        """The view of each watcher, by its number: as the scenario says, else as its spawn."""
        specs = {spec.name: spec for spec in self._scenario.agents}
        spawns = {spawn.name or f"{spawn.who} {number + 1}": spawn for number, spawn in enumerate(self.level.spawns)}
        found = {}
        for number in self._watchers:
            name = self.recording.about.agents[number]
            spec, spawn = specs.get(name), spawns.get(name)
            angle, distance = (
                getattr(spec, trait, None) or getattr(spawn, trait, None) for trait in ("view_angle", "view_distance")
            )
            model = (spec.vision if spec is not None else None) or self._scenario.vision
            if model in VISIONS:
                found[number] = view_shape(stretched(VISIONS[model], angle, distance))
        return found

    def _people(self, columns: dict[str, Array], shown: list[int]) -> tuple[Person, ...]:
        seen = self._seen(columns)
        awareness = np.zeros(len(columns["mode"]))
        if columns["awareness"].size:
            awareness[self._watchers] = columns["awareness"].max(axis=1)
        return tuple(
            Person(
                name=self.recording.about.agents[number],
                team=TEAMS[self._teams[number]],
                state=STATES[columns["state"][number]],
                mode=MODES[columns["mode"][number]],
                xyz=columns["xyz"][number].astype(np.float64),
                heading=float(columns["heading"][number]),
                gaze=float(columns["gaze"][number]),
                awareness=float(np.clip(awareness[number], 0.0, 1.0)),
                way=self._way(columns, number),
                seen=seen.get(number),
            )
            for number in shown
        )

    def _seen(self, columns: dict[str, Array]) -> dict[int, SeenArea]:
        who = [
            number for number in self._shapes if columns["mode"][number] == ACTIVE and self._shapes[number].far > 0.0
        ]
        if not who:
            return {}
        self._sight.set_doors(columns["doors"])
        eyes = columns["xyz"][who].astype(np.float64)
        eyes[:, 2] += [STANCES[stance].eye for stance in columns["stance"][who].tolist()]
        gaze = columns["gaze"][who].astype(np.float64)
        reach = [self._shapes[number].far for number in who]
        areas = visible_areas(self._sight, eyes, gaze, 2.0 * np.pi, reach)
        found = {}
        for number, area, eye, turn in zip(who, areas, eyes, gaze.tolist()):
            if len(area) >= 3:
                found[number] = SeenArea(area, *self._shapes[number].turned(eye[:2], turn))
        return found

    def _way(self, columns: dict[str, Array], number: int) -> Floats:
        if not columns["going"][number] or columns["mode"][number] != ACTIVE:
            return _EMPTY
        start, goal = (columns[name][number].astype(np.float64) for name in ("xyz", "goal"))
        points = find_path(self._live.mesh, start, goal).points_xyz
        return points if len(points) > 1 else _EMPTY

    def _ghosts(self, columns: dict[str, Array], now: float) -> tuple[Ghost, ...]:
        """Group what guards believe: the same place and time is one belief that was shared."""
        groups: dict[tuple[int, ...], list[int]] = {}
        guards = TEAMS.index("guards")
        for row, column in np.argwhere((columns["known_source"] != 0) & (columns["visible"] == 0)).tolist():
            watcher, age = self._watchers[row], now - float(columns["known_time"][row, column])
            if self._teams[watcher] == guards and _FRESH < age < _FORGOTTEN and columns["mode"][watcher] == ACTIVE:
                place = np.round(columns["known_xyz"][row, column] * 2.0).astype(int).tolist()
                groups.setdefault((column, *place), []).append(row)
        found = []
        for (column, *_), rows in groups.items():
            newest = max(rows, key=lambda row: columns["known_time"][row, column])
            who = [self._watchers[row] for row in rows]
            found.append(
                Ghost(
                    target=self.recording.about.agents[self._targets[column]],
                    xyz=columns["known_xyz"][newest, column].astype(np.float64),
                    direction_xy=columns["known_direction"][newest, column].astype(np.float64),
                    age=now - float(columns["known_time"][newest, column]),
                    believers=tuple(self.recording.about.agents[number] for number in who),
                    from_xyz=columns["xyz"][who].astype(np.float64),
                )
            )
        return tuple(found)


def _numbers(recording: Recording, name: str, count: int) -> list[int]:
    """Return a list of whole numbers from the notes of a recording."""
    given: Any = recording.about.notes.get(name)
    if not isinstance(given, list) or not all(isinstance(one, int) and 0 <= one < max(count, 3) for one in given):
        raise RecordingError(f"{recording.source}: does not say who its {name} are; run the scenario again")
    return given


def posts_of(frame: Frame, shown: Sequence[int]) -> tuple[Post, ...]:
    """Return the posts of those who are shown (numbers of agents): of members, and of who waits for room in a crew."""
    columns = frame.columns
    if "crew" not in columns:
        return ()
    seats = {int(row[0]): (seat, int(row[2])) for seat, row in enumerate(columns["crew_seats"]) if row[0] >= 0}
    found = []
    for person, agent in enumerate(shown):
        crew, role = int(columns["crew"][agent]), frame.texts.get((agent, ROLE), "")
        if crew < 0 and not role:
            continue
        seat, leader = seats.get(crew, (-1, -1))
        stand = columns["stand"][agent].astype(np.float64)
        place = None if np.isnan(stand).any() else stand
        found.append(Post(person, crew, seat, role, leader == agent, place, int(columns["slot"][agent])))
    return tuple(found)
