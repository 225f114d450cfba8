"""Compute what guards would see and hear of an agent in each cell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ....agents.bodies.bodies import STANCES, bodies
from ....agents.brains.surroundings import TEAMS
from ....agents.senses.vision.look import COMBAT, SUSPICIOUS
from ....agents.senses.vision.sightings import VisionMemory
from ....cells.live import DoorCells
from ....cells.query import nearest_cells
from ....conventions import Array, Floats, Ids
from ....kernels.arrays.agent_arrays import ACTIVE, BodyArrays
from ....layers.spread import Spread
from ....level.sight.query import sees
from ....level.sight.sight import Sight
from ....simulation.world.lighting import Lighting
from ....simulation.world.traits import ears_of, looking_of
from ....vocabulary.words import AgentState
from ..protocol.layers import EARSHOT
from ..session.stage import Stage

_WHILE = 1.0
"""Seconds the agent stands there."""
_NEAR = 2.0
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

    def light(self, seconds: float) -> Floats:
        """Return the brightness of each cell, 0 … 1."""
        scenario = self._setting.scenario
        lighting = Lighting(self._setting.level.zones, scenario.light, scenario.lights)
        for incident in sorted(scenario.script, key=lambda one: one.at):
            if incident.do == "light" and incident.at <= seconds and isinstance(incident.value, int | float):
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
        everybody = self._everybody(seconds)
        targets = np.arange(1, len(self._xyz) + 1, dtype=np.int32)
        for number in self._active(columns):
            _stand(everybody, columns, number)
            found = self._models[number].look(
                everybody,
                self._sight.arrays,
                np.zeros(1, np.int32),
                targets,
                VisionMemory(1, len(targets)),
                _WHILE,
                alert=np.array([_ALERT.get(int(columns["state"][number]), 0)], np.uint8),
                clouds=self._clouds(seconds),
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

    def _everybody(self, seconds: float) -> BodyArrays:
        """Return a table with one guard, to be moved to each guard's place, and an intruder in each cell."""
        places = np.concatenate([np.zeros((1, 3)), self._xyz])
        team = np.full(len(places), TEAMS.index("intruders"))
        team[0] = TEAMS.index("guards")
        light = np.concatenate([[1.0], self.light(seconds)])
        radius = self._setting.scenario.radius
        return bodies(places, team=team, light=light, camouflage=self._camouflage, radius=radius)

    def _clouds(self, seconds: float) -> Floats | None:
        found = [
            (*(*one.place, 0.0)[:2], (*one.place, 0.0)[2] + _SMOKE, one.radius)
            for one in self._setting.scenario.script
            if one.do == "smoke" and one.place is not None and one.at <= seconds < one.at + one.seconds
        ]
        return np.array(found, np.float64).reshape(-1, 4) if found else None


def _stand(everybody: BodyArrays, columns: Columns, number: int) -> None:
    """Put the guard of the table where a guard of the world stands and looks."""
    everybody.xyz[0] = columns["xyz"][number]
    everybody.heading[0] = everybody.gaze[0] = columns["gaze"][number]
    everybody.stance[0] = min(int(columns["stance"][number]), len(STANCES) - 1)
