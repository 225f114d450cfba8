"""Territory: see trespassers off, and run to a safe zone."""

from __future__ import annotations

import numpy as np

from ....reasoning.locations.criteria import Distance, InZone
from ....reasoning.locations.curve import Curve
from ....reasoning.locations.query import Query
from ....vocabulary.words import Trespass
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..facts import KEEPS_OFF
from ..mind import Mind, as_place
from .brain_leaf import GOAL_PLACE, Answer, BrainLeaf, MovingLeaf, condition, leaf

_BESIDE = 1.8
"""Metres at which a guard walks next to an agent that it escorts."""
_NEAR = Distance("asker", how="walking", at_most=200.0, curve=Curve(inverse=10.0))
_WAY_OFF = Query((InZone("restricted", at_most=0.0), _NEAR))
_SAFE = Query((InZone("safe", at_least=1.0), _NEAR))
_LINES = {Trespass.WARNED: "You there. This is no place for you.", Trespass.ESCORTED: "Out. Come with me."}


@condition(KEEPS_OFF)
def has_trespasser(mind: Mind) -> Answer:
    """Return whether it is up to the agent to warn off or escort another agent in a restricted zone."""
    column = _trespasser(mind)
    return column >= 0, f"sees off {mind.world.target_name(column)}" if column >= 0 else "no trespasser"


def _trespasser(mind: Mind) -> int:
    territory = mind.world.territory
    if territory is None or mind.number not in territory.keeper:
        return -1
    column = territory.keeper.index(mind.number)
    return column if territory.steps[column] in _LINES else -1


@leaf
class SeeOff(MovingLeaf):
    """Warn a trespasser from where the agent stands, then walk next to it until it leaves.

    RUNNING while it is warned or escorted, FAILURE if there is none.
    """

    kind = "see_off"

    def enter(self, mind: Mind) -> None:  # noqa: ARG002
        """Begin with the warning."""
        self._said: Trespass | None = None

    def tick(self, mind: Mind) -> Status:
        """Speak once at each step; stand and face it, or walk up to it."""
        world, column = mind.world, _trespasser(mind)
        if column < 0 or world.territory is None:
            self.reason = "it has left"
            return FAILURE
        step, place = world.territory.steps[column], world.snapshot.places[int(world.cast.targets[column])]
        if step is not self._said:
            mind.say(_LINES[step])
            self._said = step
        if step is Trespass.ESCORTED and mind.distance_to(place) > _BESIDE:
            mind.go(place, "walk")
        else:
            mind.stand()
            mind.turn(mind.heading_to(place))
        self.reason = f"{step} {world.target_name(column)}"
        return RUNNING


@condition(KEEPS_OFF)
def is_warned(mind: Mind) -> Answer:
    """Return whether guards want the agent to leave a restricted zone."""
    return mind.is_warned, "is to leave" if mind.is_warned else "may stay"


@leaf
class ChooseWayOff(BrainLeaf):
    """Write the nearest place outside all restricted zones to "goal"; FAILURE if there is none."""

    kind = "choose_way_off"
    writes = GOAL_PLACE

    def tick(self, mind: Mind) -> Status:
        """Choose once."""
        territory = mind.world.territory
        if territory is None or not territory.restricted:
            return FAILURE
        return SUCCESS if _go_nearest(mind, _WAY_OFF) else FAILURE


def _go_nearest(mind: Mind, query: Query) -> bool:
    """Write the place that a query picks to "goal"; return whether there is one."""
    choice = mind.world.reasoning.picker.pick(query, np.array(mind.xyz))
    if choice.cell >= 0:
        mind.blackboard["goal"] = as_place(choice.xyz[0])
        mind.decided = choice.why()
    return choice.cell >= 0


@leaf
class ChooseSafeZone(BrainLeaf):
    """Write the nearest place in a safe zone to "goal"; FAILURE if there is none, or none is respected here."""

    kind = "choose_safe_zone"
    writes = GOAL_PLACE

    def tick(self, mind: Mind) -> Status:
        """Choose once."""
        territory = mind.world.territory
        if territory is None or not territory.safe or not _go_nearest(mind, _SAFE):
            self.reason = "no zone is safe here"
            return FAILURE
        self.reason = f"{mind.distance_to(mind.blackboard['goal']):.0f} m to a safe zone"
        return SUCCESS
