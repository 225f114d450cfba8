"""A recording with its level: any moment of it, with crews, roles and places, ready to be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from ...agents.brains.relations import TEAMS
from ...agents.brains.surroundings import STATES
from ...cells.layout import CellLayout
from ...conventions import Array
from ...errors import LastSeenError, RecordingError
from ...kernels.arrays.agent_arrays import ACTIVE, GONE
from ...kernels.search.search_wave import VALUE
from ...level.level import Level
from ...navmesh.body import Body
from ...simulation.recording.crew_columns import ROLE
from ...simulation.recording.recording import Frame, Recording, level_of
from ...simulation.replay.account import MODES
from ...simulation.scenario.name_checks import spawned_agents
from ...simulation.scenario.reader import Setting
from ...simulation.scenario.scenario import AgentSpec, Scenario
from .moment import Ghost, Moment, Person, Post, Recent, Thing
from .paths import Paths
from .sights import Sights
from .timings import TIMINGS

_NEEDED = ("xyz", "heading", "gaze", "mode", "stance", "state", "going", "goal", "awareness", "visible")
_KNOWN = ("known_xyz", "known_direction", "known_time", "known_source", "doors")
_EMPTY = np.zeros((0, 3))


class RecordedScene:
    """A recording with its level baked again, so that views, paths and cells can be drawn.

    `layout` holds the cells of its level if they are baked already.

    Raises
    ------
    RecordingError
        It holds no steps, lacks data that pictures need, or its level gives other cells than it was recorded with.
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
        self._recent = Recent(recording)
        self._teams, self._watchers, self._targets = (
            _numbers(recording, name, len(about.agents)) for name in ("teams", "watchers", "targets")
        )
        self._paths = Paths(self.layout, level)
        self.setting = self._made_setting()
        self._sights = Sights(self.setting, self._watchers)

    @property
    def name(self) -> str:
        """Name of the scenario, or of its level."""
        return self._scenario.name or self.level.name or "recording"

    def moment(self, tick: int) -> Moment:
        """Return everything visible at a step."""
        frame = self.recording.frame(tick)
        now, columns = tick * self.recording.about.step, frame.columns
        shown = np.flatnonzero(columns["mode"] != GONE).tolist()
        people = self._people(columns, shown)
        search = frame.layers.get("search")
        # The rest of a search says nothing about agents that chase or fight.
        searches = search is not None and any(person.state == "search" for person in people)
        values = search & VALUE if search is not None and searches else None
        return Moment(
            tick=tick,
            seconds=now,
            people=people,
            ghosts=self._ghosts(columns, now),
            flood=self._recent.flood(tick, len(self.layout)),
            search=values if values is not None and values.any() else None,
            bubbles=self._recent.bubbles(tick, shown),
            noises=self._recent.noises(tick),
            door_shut=columns["doors"].astype(np.bool_),
            platforms=tuple(columns.get("platforms", np.zeros(0)).astype(np.bool_).tolist()),
            posts=posts_of(frame, shown),
            traps=self._recent.traps(tick, self.level.traps),
            things=things_of(self.recording, columns),
            creatures=columns.get("swarm_xyz"),
        )

    def _baked(self, layout: CellLayout | None) -> CellLayout:
        about = self.recording.about
        try:
            self._scenario = msgspec.json.decode(about.scenario, type=Scenario)
            if layout is None:
                agent = Body(radius=self._scenario.radius)
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

    def _made_setting(self) -> Setting:
        """Return the scenario with its agents in the order of the recording."""
        scenario = self._scenario
        specs = {spec.name: spec for spec in scenario.agents or spawned_agents(self.level)}
        agents = tuple(specs.get(name, AgentSpec(name)) for name in self.recording.about.agents)
        return Setting(scenario, self.level, agents, {})

    def _people(self, columns: dict[str, Array], shown: list[int]) -> tuple[Person, ...]:
        seen, paths = self._sights.seen(columns), self._paths.of(columns)
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
                path=path if len(path := paths.get(number, _EMPTY)) > 1 else _EMPTY,
                seen=seen.get(number),
                doing=animation_of(self.recording, columns, number),
            )
            for number in shown
        )

    def _ghosts(self, columns: dict[str, Array], now: float) -> tuple[Ghost, ...]:
        """Group beliefs of guards: equal places and times are one shared belief."""
        groups: dict[tuple[int, ...], list[int]] = {}
        guards = TEAMS.index("guards")
        for row, column in np.argwhere((columns["known_source"] != 0) & (columns["visible"] == 0)).tolist():
            watcher, age = self._watchers[row], now - float(columns["known_time"][row, column])
            is_shown = TIMINGS.belief_fresh < age < TIMINGS.belief and columns["mode"][watcher] == ACTIVE
            if is_shown and self._teams[watcher] == guards:
                place = np.round(columns["known_xyz"][row, column] * 2.0).astype(int).tolist()
                groups.setdefault((column, *place), []).append(row)
        found = []
        for (column, *_), rows in groups.items():
            newest = max(rows, key=lambda row: columns["known_time"][row, column])
            watchers = [self._watchers[row] for row in rows]
            found.append(
                Ghost(
                    target=self.recording.about.agents[self._targets[column]],
                    xyz=columns["known_xyz"][newest, column].astype(np.float64),
                    direction_xy=columns["known_direction"][newest, column].astype(np.float64),
                    age=now - float(columns["known_time"][newest, column]),
                    believers=tuple(self.recording.about.agents[number] for number in watchers),
                    from_xyz=columns["xyz"][watchers].astype(np.float64),
                )
            )
        return tuple(found)


def _numbers(recording: Recording, name: str, count: int) -> list[int]:
    """Return a list of whole numbers in the notes of a recording."""
    given: Any = recording.about.notes.get(name)
    if not isinstance(given, list) or not all(isinstance(one, int) and 0 <= one < max(count, 3) for one in given):
        raise RecordingError(f"{recording.source}: does not name its {name}; run the scenario again")
    return given


def things_of(recording: Recording, columns: Mapping[str, Array]) -> tuple[Thing, ...]:
    """Return the objects in sight at a step; none if the recording has no objects."""
    if "object_state" not in columns:
        return ()
    rows = zip(recording.about.notes["objects"], columns["object_xyz"].astype(np.float64), columns["object_state"])
    return tuple(
        Thing(note["name"], note["kind"], xyz, bool(state == 1), tuple(np.array(zone) for zone in note["zones"]))
        for note, xyz, state in rows
        if state != 2
    )


def animation_of(recording: Recording, columns: Mapping[str, Array], agent: int) -> str:
    """Return the animation of an agent that uses an object; empty if it uses none."""
    number = int(columns["uses"][agent]) if "uses" in columns else -1
    return "" if number < 0 else str(recording.about.notes["objects"][number]["animation"])


def posts_of(frame: Frame, shown: Sequence[int]) -> tuple[Post, ...]:
    """Return the posts of the agents shown (by number): of members, and of agents that wait for room in a crew."""
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
