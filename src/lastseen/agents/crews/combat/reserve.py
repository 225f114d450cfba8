"""Reserve: agents without room in a full crew stay out of its fight while its members take turns."""

from __future__ import annotations

from collections.abc import Mapping

from ....kernels.arrays.agent_arrays import ACTIVE, HIDDEN
from ....vocabulary.events import RoleChanged, RoleLoss
from ...brains.surroundings import Surroundings
from ...directions import Direction
from ..crew import Crew
from ..grouping import LARGEST
from .attack_turns import TURNS_KEY

RESERVE = "reserve"
"""Role of agents for which a full crew has no room."""


class Reserve:
    """Agents that would join a fight but exceed the size of the crew.

    Attributes
    ----------
    held : by agent, the number of the crew it waits for.
    """

    def __init__(self) -> None:
        self.held: dict[int, int] = {}

    def update(self, world: Surroundings, standing: Mapping[int, Crew]) -> None:
        """Hold agents that request a full crew whose members attack by tokens; free the others."""
        full = [crew for crew in standing.values() if len(crew.members) >= LARGEST and TURNS_KEY in crew.blackboard]
        if world.combat is None or not (full or self.held):
            return
        members = {member for crew in standing.values() for member in crew.members}
        left = self._left(world, {crew.key: crew for crew in full}, members)
        for agent, number in list(self.held.items()):
            if agent not in left or left[agent].number != number:
                self._free(world, agent, is_member=agent in members)
        for agent, crew in left.items():
            if agent not in self.held:
                self._hold(world, agent, crew)

    def _left(
        self, world: Surroundings, full: Mapping[tuple[int, str, int, int], Crew], members: set[int]
    ) -> dict[int, Crew]:
        """Return the agents outside all crews that request a full one, by their most urgent request."""
        found: dict[int, Crew] = {}
        for request in world.teamwork.requests:
            agent = request.by
            crew = full.get((int(world.bodies.team[agent]), *request.key))
            if crew is not None and agent not in members and world.bodies.mode[agent] in (ACTIVE, HIDDEN):
                found.setdefault(agent, crew)
        return found

    def _hold(self, world: Surroundings, agent: int, crew: Crew) -> None:
        x, y, z = world.bodies.xyz[agent].tolist()
        why = f"{RESERVE}: {crew.name} is full, and its members take turns"
        face = next((given.values["face"] for given in crew.given.values() if given.values.get("face")), None)
        values = {"stand": (x, y, z), "face": face, "gait": "walk", "attack": False}
        world.teamwork.directions[agent] = Direction(crew.number, RESERVE, world.time, why, values)
        world.teamwork.role_reasons[world.tick, agent] = why
        self.held[agent] = crew.number
        world.happened(
            RoleChanged(world.tick, agent, at=(x, y, z), crew=crew.number, objective=crew.objective, role=RESERVE)
        )

    def _free(self, world: Surroundings, agent: int, *, is_member: bool) -> None:
        number = self.held.pop(agent)
        if not is_member:
            world.teamwork.directions[agent] = None
        loss = RoleLoss.ADMITTED if is_member else RoleLoss.RELEASED
        world.happened(RoleChanged(world.tick, agent, crew=number, before=RESERVE, loss=loss))
