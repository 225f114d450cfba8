"""Surveys of all cells at a moment: distances, light, and what guards see and hear. Agents and views read them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...agents.bodies.bodies import STANCES, bodies
from ...agents.brains.relations import TEAMS
from ...agents.senses.vision.look import COMBAT, SUSPICIOUS
from ...agents.senses.vision.sightings import VisionMemory
from ...cells.layout import CellLayout
from ...cells.live import DoorCells, LiveLayout
from ...cells.query import nearest_cells
from ...conventions import Array, Floats, Ids
from ...kernels.arrays.agent_arrays import ACTIVE, BodyArrays
from ...layers.spread import Spread
from ...level.features import Zone
from ...level.sight.query import sees
from ...level.sight.sight import Sight
from ...reasoning.locations.picker import Picker
from ...reasoning.locations.query import shipped_query
from ...reasoning.tactical.environment import Environment
from ...vocabulary.words import AgentState
from ..scenario.reader import Setting
from .lighting import Lighting
from .traits import ears_of, looking_of
from .weather import Weather

EARSHOT = 40.0
"""Metres beyond which sound is not surveyed."""
_NEARBY = 20.0
"""Metres to walk at which the proximity of a target ends."""
_NEAR = 2.0
"""Metres from an agent within which a cell stands for its position."""
AREA_COLOURS = 12
"""Number of areas that a survey tells apart."""
_CHOKE = 0.9
"""Metres around a choke that belong to no area in the survey."""
_WAYS = 8
"""Number of links of a cell without a wall next to it."""
Columns = Mapping[str, Array]
Work = Generator[int, None, Floats]
"""A survey in pieces: yields the cells it looked at, returns the values."""


@dataclass(frozen=True, eq=False)
class Moment:
    """A moment to survey: columns of a recording (xyz, gaze, mode, stance, state, doors), light and smoke (k, 4).

    A column "weather" holds the number of the weather; without one it is clear.
    """

    columns: Columns
    lighting: Lighting
    clouds: Floats | None = None


def follow_columns(sight: Sight, columns: Columns) -> None:
    """Set doors and platforms to their recorded state."""
    sight.set_doors(columns["doors"])
    if "platforms" in columns:
        sight.set_platforms(columns["platforms"])


def clouds_of(columns: Columns) -> Floats | None:
    """Return the recorded smoke, (k, 4); None: there is none."""
    rows = np.asarray(columns["smoke"], np.float64) if "smoke" in columns else np.zeros((0, 4))
    thick = rows[rows[:, 3] > 0.0]
    return thick if len(thick) else None


def weather_of(zones: tuple[Zone, ...], columns: Columns) -> Weather:
    """Return the recorded weather of a level with such zones."""
    found = Weather(zones, "clear")
    found.number = int(columns["weather"][0]) if "weather" in columns else 0
    return found


class Survey:
    """Surveys the cells of one setting; has its own state of doors. Use one per thread.

    `player` is the number of the agent that distances are measured from; None: all targets.
    """

    def __init__(self, setting: Setting, layout: CellLayout, watchers: Ids, targets: Ids, player: int | None = None):
        self.setting, self._layout = setting, layout
        self._watchers, self._targets, self._player = watchers, targets, player
        self._xyz: Floats = layout.arrays.cell_xyz.astype(np.float64)
        self._ways_out: dict[bytes, Floats] = {}
        self._makers: dict[str, Callable[[Moment], Work]] = {
            "exposure": lambda now: self._seen(now, 0),
            "danger": lambda now: self._seen(now, 1),
            "noise": self._noise,
            "hiding": lambda now: self._whole(self._hiding(now.columns)),
            "walk": lambda now: self._whole(self._walked(self._hunted(now.columns))),
            "guards": lambda now: self._whole(self._walked(self._guards(now.columns))),
            "proximity": lambda now: self._whole(self._proximity(now.columns)),
            "light": lambda now: self._whole(now.lighting.at(self._xyz)),
            "clearance": lambda _: self._whole(self._clearance),
            "way out": lambda _: self._whole(self._exit_distance()),
            "height": lambda _: self._whole(self._xyz[:, 2].copy()),
            "areas": lambda _: self._whole(self._areas),
        }

    def start(self, name: str, moment: Moment) -> Work:
        """Begin to survey a layer in pieces: iterate over it, then take the value it returns."""
        if "platforms" in moment.columns:
            self._floor.set_platforms(moment.columns["platforms"])
        return self._makers[name](moment)

    def all(self, name: str, moment: Moment) -> Floats:
        """Return the values of a layer for all cells, (cells,) float64; NaN: nothing."""
        work = self.start(name, moment)
        while True:
            try:
                next(work)
            except StopIteration as done:
                found: Floats = done.value
                return found

    def _whole(self, values: Floats) -> Work:
        yield len(values)
        return values

    def _seen(self, moment: Moment, which: int) -> Work:
        return (yield from self._senses.seen(moment))[which]

    def _noise(self, moment: Moment) -> Work:
        return (yield from self._senses.heard(moment))

    @cached_property
    def _senses(self) -> Senses:
        return Senses(self.setting, self._layout, self._watchers, self._player, self._sight)

    @cached_property
    def _sight(self) -> Sight:
        return Sight.from_level(self.setting.level)

    @cached_property
    def _floor(self) -> LiveLayout:
        """The cells with locked doors closed; agents open the others on their way."""
        return LiveLayout.at_start(self._layout, self.setting.level)

    @cached_property
    def _spread(self) -> Spread:
        return Spread(self._floor)

    def _nothing(self) -> Floats:
        return np.full(len(self._xyz), np.nan)

    def _hunted(self, columns: Columns) -> Floats:
        """Return the position of the player, or else of all targets."""
        agents = self._targets if self._player is None else np.array([self._player], np.int32)
        return self._places(columns, agents, hidden=True)

    def _guards(self, columns: Columns) -> Floats:
        return self._places(columns, self._watchers)

    @staticmethod
    def _places(columns: Columns, agents: Ids, *, hidden: bool = False) -> Floats:
        mode = columns["mode"][agents]
        there = agents[mode <= 1 if hidden else mode == ACTIVE]
        places: Floats = np.asarray(columns["xyz"], np.float64)[there]
        return places

    def _walked(self, places: Floats) -> Floats:
        found = self._nothing()
        if len(places):
            cells = nearest_cells(self._floor, places, _NEAR)
            reached = self._spread.distances(cells[cells >= 0])
            found[reached.cells] = reached.metres
        return found

    def _proximity(self, columns: Columns) -> Floats:
        """Return 1 at the target, falling to 0 where it would have to walk `_NEARBY` metres."""
        share = 1.0 - self._walked(self._hunted(columns)) / _NEARBY
        return np.where(share > 0.0, share, np.nan)

    def _exit_distance(self) -> Floats:
        """Return the metres to the nearest exit, searched again only when a platform has moved."""
        key = self._floor.platforms.tobytes()
        if key not in self._ways_out:
            exits = [marker.xyz for marker in self.setting.level.markers if marker.kind == "exit"]
            self._ways_out = {key: self._walked(np.array(exits, np.float64).reshape(-1, 3))}
        return self._ways_out[key]

    @cached_property
    def _clearance(self) -> Floats:
        """Metres to the nearest wall: to the nearest cell next to one, plus from its middle to the wall."""
        arrays = self._layout.arrays
        edge = np.flatnonzero(np.diff(arrays.link_start.astype(np.int64)) < _WAYS)
        found = self._nothing()
        reached = Spread(self._layout).distances(edge.astype(np.int32))
        found[reached.cells] = reached.metres + float(arrays.size_xyz[0]) / 2.0
        return found

    @cached_property
    def _areas(self) -> Floats:
        """Number of the area of each cell, modulo the number of colours; nothing at chokes."""
        environment = Environment.from_level(self.setting.level, self._layout)
        found = np.where(environment.label >= 0, environment.label % AREA_COLOURS, np.nan).astype(np.float64)
        for choke in environment.chokes:
            found[np.linalg.norm(self._xyz - choke.xyz, axis=1) <= _CHOKE] = np.nan
        return found

    @cached_property
    def _picker(self) -> Picker:
        return Picker(self._floor, level=self.setting.level, sight=self._sight)

    def _hiding(self, columns: Columns) -> Floats:
        found, hunted = self._nothing(), self._hunted(columns)
        if len(hunted):
            follow_columns(self._sight, columns)
            choice = self._picker.pick(shipped_query("hide"), hunted[0], places={"threats": self._guards(columns)})
            worth = choice.candidate_scores > 0.0
            found[choice.candidates[worth]] = choice.candidate_scores[worth]
        return found


_WHILE = 1.0
"""Seconds the agent stands there."""
_OBSERVER = np.zeros(1, np.int32)
_SOUND = np.array([0.0, 0.0, 0.3])
"""Metres above the floor at which sounds are made, as in hearing."""
_EARS = np.array([stance.eye for stance in STANCES])
_ALERT = {
    AgentState.ENGAGE.number: COMBAT,
    AgentState.CHASE.number: COMBAT,
    AgentState.SUSPICIOUS.number: SUSPICIOUS,
    AgentState.SEARCH.number: SUSPICIOUS,
}


class Senses:
    """The senses of all watchers of a setting, as in the simulation, applied to all cells."""

    def __init__(self, setting: Setting, layout: CellLayout, watchers: Ids, player: int | None, sight: Sight):
        self._setting, self._watchers, self._sight = setting, watchers, sight
        self._xyz: Floats = layout.arrays.cell_xyz.astype(np.float64)
        self._camouflage = 0.0 if player is None else setting.agents[player].camouflage
        self._air = DoorCells(layout, setting.level)
        self._spread = Spread(self._air)
        rows = np.full(len(setting.agents), -1, np.int32)
        rows[watchers] = np.arange(len(watchers))
        groups = looking_of(setting, watchers, rows, 1)
        self._models = {number: group.model for group in groups for number in group.observers.tolist()}
        self._sensitivity = np.broadcast_to(ears_of(setting, watchers).sensitivity, (len(watchers),))
        self._last: tuple[Moment, tuple[Floats, Floats]] | None = None

    def seen(self, moment: Moment) -> Generator[int, None, tuple[Floats, Floats]]:
        """Return how many guards would see an agent in each cell, and the highest awareness after a second.

        (cells,) each; NaN: none would.
        """
        if self._last is not None and self._last[0] is moment:
            return self._last[1]
        columns, count, most = moment.columns, np.zeros(len(self._xyz)), np.zeros(len(self._xyz))
        crowd, weather = self._crowd(moment), weather_of(self._setting.level.zones, moment.columns)
        targets = np.arange(1, len(self._xyz) + 1, dtype=np.int32)
        for number in self._active(columns):
            follow_columns(self._sight, columns)  # another survey may have run in between
            _stand(crowd, columns, number)
            found = self._models[number].look(
                crowd,
                self._sight.arrays,
                _OBSERVER,
                targets,
                VisionMemory(1, len(targets)),
                _WHILE,
                alert=np.array([_ALERT.get(int(columns["state"][number]), 0)], np.uint8),
                clouds=moment.clouds,
                farthest=None if weather.is_clear else weather.farthest(crowd, _OBSERVER, targets),
            )
            count += found.visible[0]
            np.maximum(most, np.where(found.visible[0], found.awareness[0], 0.0), out=most)
            yield len(targets)
        answer = np.where(count > 0, count, np.nan), np.where(count > 0, most, np.nan)
        self._last = moment, answer
        return answer

    def heard(self, moment: Moment) -> Work:
        """Return how many metres sound travels from each cell to the nearest ear.

        It travels through open doors, and straight if the ear has the place in sight; with hearing by radius, only
        straight. For keen ears metres count less, in bad weather more; in smoke nothing is heard. NaN: further than
        `EARSHOT`.
        """
        columns, clouds = moment.columns, np.zeros((0, 4)) if moment.clouds is None else moment.clouds
        nearest = np.full(len(self._xyz), np.inf)
        weather = weather_of(self._setting.level.zones, columns)
        for agent in self._active(columns):
            follow_columns(self._sight, columns)
            for number, shut in enumerate(columns["doors"].tolist()):
                self._air.set_door(number, bool(shut))
            feet = np.asarray(columns["xyz"][agent], np.float64)
            keen = float(self._sensitivity[self._watchers.tolist().index(agent)] * weather.hearing(feet[None])[0])
            if keen > 0.0 and (np.linalg.norm(clouds[:, :3] - feet, axis=1) > clouds[:, 3]).all():
                np.minimum(nearest, self._to_ear(feet, int(columns["stance"][agent]), keen) / keen, out=nearest)
            yield len(nearest)
        return np.where(nearest <= EARSHOT, nearest, np.nan)

    def _to_ear(self, feet: Floats, stance: int, keen: float) -> Floats:
        metres = np.full(len(self._xyz), np.inf)
        if self._setting.scenario.hearing != "radius":
            cell = nearest_cells(self._air, feet[None], _NEAR)
            reached = self._spread.distances(cell[cell >= 0], reach=EARSHOT * keen)
            metres[reached.cells] = reached.metres
        away = np.linalg.norm(self._xyz - feet, axis=1)
        near = np.flatnonzero(away <= EARSHOT * keen)
        ears = np.tile(feet + np.array([0.0, 0.0, _EARS[min(stance, len(_EARS) - 1)]]), (len(near), 1))
        near = near[sees(self._sight, ears, self._xyz[near] + _SOUND)] if len(near) else near
        metres[near] = away[near]
        return metres

    def _active(self, columns: Columns) -> list[int]:
        return [number for number in self._watchers.tolist() if columns["mode"][number] == ACTIVE]

    def _crowd(self, moment: Moment) -> BodyArrays:
        """Return a table with one guard, to be moved to each guard's place, and an intruder in each cell."""
        places = np.concatenate([np.zeros((1, 3)), self._xyz])
        team = np.full(len(places), TEAMS.index("intruders"))
        team[0] = TEAMS.index("guards")
        light = np.concatenate([[1.0], moment.lighting.at(self._xyz)])
        radius = self._setting.scenario.radius
        return bodies(places, team=team, light=light, camouflage=self._camouflage, radius=radius)


def _stand(crowd: BodyArrays, columns: Columns, number: int) -> None:
    """Put the guard of the table where a guard of the world stands and looks."""
    crowd.xyz[0] = columns["xyz"][number]
    crowd.heading[0] = columns["gaze"][number]
    crowd.stance[0] = min(int(columns["stance"][number]), len(STANCES) - 1)
