"""Survey all cells at a moment: distances, light, and what guards see and hear, from the recorded state."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from ....agents.bodies.bodies import STANCES, bodies
from ....agents.brains.relations import TEAMS
from ....agents.senses.vision.look import COMBAT, SUSPICIOUS
from ....agents.senses.vision.sightings import VisionMemory
from ....cells.live import DoorCells, LiveLayout
from ....cells.query import nearest_cells
from ....conventions import Array, Floats, Ids
from ....kernels.arrays.agent_arrays import ACTIVE, BodyArrays
from ....layers.spread import Spread
from ....level.sight.query import sees
from ....level.sight.sight import Sight
from ....reasoning.locations.picker import Picker
from ....reasoning.locations.query import shipped_query
from ....simulation.recording.recording import Frame, Recording
from ....simulation.world.lighting import Lighting
from ....simulation.world.traits import ears_of, looking_of
from ....vocabulary.events import Predicted, Scripted
from ....vocabulary.words import AgentState
from ..protocol.layers import EARSHOT
from ..session.game import Game
from ..session.stage import Stage

_NEAR = 2.0
"""Metres from an agent within which a cell stands for its position."""
_WAYS = 8
"""Number of links of a cell without a wall next to it."""
_COLUMNS = ("xyz", "gaze", "mode", "stance", "state", "doors")


class PastEvents:
    """Finds floods and scripted events of a run; reads every event only once, as a long recording takes a while."""

    def __init__(self) -> None:
        self._recording: Recording | None = None
        self._floods: list[Predicted] = []
        self._scripted: list[Scripted] = []
        self._until = 0

    def last_flood(self, game: Game) -> Predicted | None:
        """Return the last flood up to the step shown."""
        self._read(game)
        at = bisect_right(self._floods, game.shown, key=lambda event: event.tick)
        return self._floods[at - 1] if at else None

    def scripted(self, game: Game) -> Array:
        """Return the steps and rows of all that the script did up to the step shown, (k, 2)."""
        self._read(game)
        at = bisect_right(self._scripted, game.shown, key=lambda event: event.tick)
        return np.array([(event.tick, event.row) for event in self._scripted[:at]], np.int64).reshape(-1, 2)

    def _read(self, game: Game) -> None:
        if self._recording is not game.recording:
            self._recording, self._floods, self._scripted, self._until = game.recording, [], [], 0
        if self._until < game.ticks:
            new = list(game.recording.events(self._until))
            self._floods += [event for event in new if isinstance(event, Predicted)]
            self._scripted += [event for event in new if isinstance(event, Scripted) and event.row >= 0]
            self._until = game.ticks


def frame_to_survey(game: Game, past: PastEvents | None = None) -> Frame:
    """Return the columns that a survey needs of the step a game shows, and the layer "heat" of its last flood.

    The column "script" has the steps and rows of all that the script did. The frame is never modified, so that the game
    may continue meanwhile; `past` are the events already known.
    """
    columns, _ = game.now()
    past = past or PastEvents()
    flood = past.last_flood(game)
    warm, left = ((), ()) if flood is None else (flood.warm, flood.values)
    cells, values = np.array(warm, np.int64), np.array(left, np.float64)
    heat = np.full(len(game.stage.layout), np.nan)
    there = (cells < len(heat)) & (values > 0)
    heat[cells[there]] = values[there]
    needed = {name: np.array(columns[name]) for name in _COLUMNS} | {"script": past.scripted(game)}
    return Frame(game.shown, needed, {"heat": heat}, {})


class Survey:
    """Surveys one stage; has its own state of doors, so that the game may continue meanwhile. Use one per thread."""

    def __init__(self, stage: Stage, watchers: Ids, targets: Ids):
        self._stage, self._watchers, self._targets = stage, watchers, targets
        self._xyz: Floats = stage.layout.arrays.cell_xyz.astype(np.float64)
        self._makers: dict[str, Callable[[Frame], Floats]] = {
            "heat": lambda frame: frame.layers["heat"],
            "exposure": lambda frame: self._senses.seen(frame.columns, self._seconds(frame))[0],
            "danger": lambda frame: self._senses.seen(frame.columns, self._seconds(frame))[1],
            "noise": lambda frame: self._senses.heard(frame.columns),
            "hiding": self._hiding,
            "walk": lambda frame: self._walked(self._hunted(frame)),
            "guards": lambda frame: self._walked(self._guards(frame)),
            "light": lambda frame: self._senses.light(frame.columns),
            "clearance": lambda _: self._clearance,
            "way out": lambda _: self._exit_distance,
            "height": lambda _: self._xyz[:, 2].copy(),
        }

    def values(self, name: str, frame: Frame) -> Floats:
        """Return the values of a layer for all cells, (cells,) float64; NaN: nothing."""
        return self._makers[name](frame)

    @cached_property
    def _senses(self) -> Senses:
        return Senses(self._stage, self._watchers, self._sight)

    @cached_property
    def _sight(self) -> Sight:
        return Sight.from_level(self._stage.setting.level)

    @cached_property
    def _floor(self) -> LiveLayout:
        """The cells with locked doors closed; agents open the others on their way."""
        level, live = self._stage.setting.level, LiveLayout(self._stage.layout)
        for number, door in enumerate(level.doors):
            if door.locked:
                live.close_door(level, number)
        return live

    @cached_property
    def _spread(self) -> Spread:
        return Spread(self._floor)

    def _nothing(self) -> Floats:
        return np.full(len(self._xyz), np.nan)

    def _seconds(self, frame: Frame) -> float:
        return frame.tick * self._stage.setting.scenario.step

    def _hunted(self, frame: Frame) -> Floats:
        """Return the position of the player, or else of all targets."""
        player = self._stage.player
        return self._places(frame, self._targets if player is None else np.array([player], np.int32), hidden=True)

    def _guards(self, frame: Frame) -> Floats:
        return self._places(frame, self._watchers)

    @staticmethod
    def _places(frame: Frame, agents: Ids, *, hidden: bool = False) -> Floats:
        mode = frame.columns["mode"][agents]
        there = agents[mode <= 1 if hidden else mode == ACTIVE]
        places: Floats = np.asarray(frame.columns["xyz"], np.float64)[there]
        return places

    def _walked(self, places: Floats) -> Floats:
        found = self._nothing()
        if len(places):
            cells = nearest_cells(self._floor, places, _NEAR)
            reached = self._spread.distances(cells[cells >= 0])
            found[reached.cells] = reached.metres
        return found

    @cached_property
    def _exit_distance(self) -> Floats:
        exits = [marker.xyz for marker in self._stage.setting.level.markers if marker.kind == "exit"]
        return self._walked(np.array(exits, np.float64).reshape(-1, 3))

    @cached_property
    def _clearance(self) -> Floats:
        """Metres to the nearest wall: to the nearest cell next to one, plus from its middle to the wall."""
        arrays = self._stage.layout.arrays
        edge = np.flatnonzero(np.diff(arrays.link_start.astype(np.int64)) < _WAYS)
        found = self._nothing()
        reached = Spread(self._stage.layout).distances(edge.astype(np.int32))
        found[reached.cells] = reached.metres + float(arrays.size_xyz[0]) / 2.0
        return found

    @cached_property
    def _picker(self) -> Picker:
        return Picker(self._floor, level=self._stage.setting.level, sight=self._sight)

    def _hiding(self, frame: Frame) -> Floats:
        found, hunted = self._nothing(), self._hunted(frame)
        if len(hunted):
            self._sight.set_doors(frame.columns["doors"])
            choice = self._picker.pick(shipped_query("hide"), hunted[0], places={"threats": self._guards(frame)})
            worth = choice.candidate_scores > 0.0
            found[choice.candidates[worth]] = choice.candidate_scores[worth]
        return found


_WHILE = 1.0
"""Seconds the agent stands there."""
_SOUND = np.array([0.0, 0.0, 0.3])
"""Metres above the floor at which sounds are made, as in hearing."""
_EARS = np.array([stance.eye for stance in STANCES])
_SMOKE = 1.0
"""Metres above the floor of the middle of a smoke cloud, as in the script."""
_ALERT = {
    AgentState.ENGAGE.number: COMBAT,
    AgentState.CHASE.number: COMBAT,
    AgentState.SUSPICIOUS.number: SUSPICIOUS,
    AgentState.SEARCH.number: SUSPICIOUS,
}
Columns = Mapping[str, Array]


class Senses:
    """The senses of all watchers of a stage, as in the simulation, applied to all cells."""

    def __init__(self, stage: Stage, watchers: Ids, sight: Sight):
        setting = stage.setting
        self._setting, self._watchers, self._sight = setting, watchers, sight
        self._xyz: Floats = stage.layout.arrays.cell_xyz.astype(np.float64)
        self._camouflage = 0.0 if stage.player is None else setting.agents[stage.player].camouflage
        self._air = DoorCells(stage.layout, setting.level)
        self._spread = Spread(self._air)
        rows = np.full(len(setting.agents), -1, np.int32)
        rows[watchers] = np.arange(len(watchers))
        groups = looking_of(setting, watchers, rows, 1)
        self._models = {number: group.model for group in groups for number in group.observers.tolist()}
        self._sensitivity = np.broadcast_to(ears_of(setting, watchers).sensitivity, (len(watchers),))
        self._seen: tuple[Columns, tuple[Floats, Floats]] | None = None

    def light(self, columns: Columns) -> Floats:
        """Return the brightness of each cell, 0 … 1."""
        scenario = self._setting.scenario
        lighting = Lighting(self._setting.level.zones, scenario.light, scenario.lights)
        for _, row in columns["script"].tolist():
            incident = scenario.script[row]
            if incident.do == "light" and isinstance(incident.value, int | float):
                lighting.switch(incident.zone, float(incident.value))
        return lighting.at(self._xyz)

    def seen(self, columns: Columns, seconds: float) -> tuple[Floats, Floats]:
        """Return how many guards would see an agent in each cell, and the highest awareness after a second.

        (cells,) each; NaN: none would.
        """
        if self._seen is not None and self._seen[0] is columns:
            return self._seen[1]
        count, most = np.zeros(len(self._xyz)), np.zeros(len(self._xyz))
        self._sight.set_doors(columns["doors"])
        crowd = self._crowd(columns)
        targets = np.arange(1, len(self._xyz) + 1, dtype=np.int32)
        for number in self._active(columns):
            _stand(crowd, columns, number)
            found = self._models[number].look(
                crowd,
                self._sight.arrays,
                np.zeros(1, np.int32),
                targets,
                VisionMemory(1, len(targets)),
                _WHILE,
                alert=np.array([_ALERT.get(int(columns["state"][number]), 0)], np.uint8),
                clouds=self._clouds(columns, seconds),
            )
            count += found.visible[0]
            np.maximum(most, np.where(found.visible[0], found.awareness[0], 0.0), out=most)
        answer = np.where(count > 0, count, np.nan), np.where(count > 0, most, np.nan)
        self._seen = columns, answer
        return answer

    def heard(self, columns: Columns) -> Floats:
        """Return how many metres sound travels from each cell to the nearest ear.

        It travels through open doors, and straight if the ear has the place in sight; with hearing by radius, only
        straight. For keen ears metres count less. NaN: further than `EARSHOT`.
        """
        nearest = np.full(len(self._xyz), np.inf)
        self._sight.set_doors(columns["doors"])
        for number, shut in enumerate(columns["doors"].tolist()):
            self._air.set_door(number, bool(shut))
        for number in self._active(columns):
            keen = float(self._sensitivity[self._watchers.tolist().index(number)])
            if keen > 0.0:
                metres = self._to_ear(
                    np.asarray(columns["xyz"][number], np.float64), int(columns["stance"][number]), keen
                )
                np.minimum(nearest, metres / keen, out=nearest)
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

    def _crowd(self, columns: Columns) -> BodyArrays:
        """Return a table with one guard, to be moved to each guard's place, and an intruder in each cell."""
        places = np.concatenate([np.zeros((1, 3)), self._xyz])
        team = np.full(len(places), TEAMS.index("intruders"))
        team[0] = TEAMS.index("guards")
        light = np.concatenate([[1.0], self.light(columns)])
        radius = self._setting.scenario.radius
        return bodies(places, team=team, light=light, camouflage=self._camouflage, radius=radius)

    def _clouds(self, columns: Columns, seconds: float) -> Floats | None:
        scenario = self._setting.scenario
        done = [(tick * scenario.step, scenario.script[row]) for tick, row in columns["script"].tolist()]
        found = [
            (*(*one.place, 0.0)[:2], (*one.place, 0.0)[2] + _SMOKE, one.radius)
            for at, one in done
            if one.do == "smoke" and one.place is not None and seconds < at + one.seconds
        ]
        return np.array(found, np.float64).reshape(-1, 4) if found else None


def _stand(crowd: BodyArrays, columns: Columns, number: int) -> None:
    """Put the guard of the table where a guard of the world stands and looks."""
    crowd.xyz[0] = columns["xyz"][number]
    crowd.heading[0] = columns["gaze"][number]
    crowd.stance[0] = min(int(columns["stance"][number]), len(STANCES) - 1)
