"""Search: choose one place after another, from the shared search map or by the order of a coordinator, and go there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....reasoning.locations.query import Query
from ....reasoning.search.gaps import Gap
from ....vocabulary.events import GivesUp, Searches
from ....vocabulary.words import AgentState
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..hunt import SearchOrder
from ..mind import Mind, Place, as_place
from ..shipped_brains import place_query
from .brain_leaf import BrainLeaf, MovingLeaf, leaf

_LOOKS, _NECK, _WORTH = 0.3, math.radians(75.0), 2.0
"""Seconds between two choices of where to look while walking, how far the head turns, and the m² that are worth it."""
_AT_GAP = 0.6
"""Distance in metres from the place in an opening at which an agent has reached it."""


@leaf
class ChooseSearchPlace(BrainLeaf):
    """Ask the search for an order and write it to "goal" and "order"; FAILURE if nothing is left to do.

    | the order                    | goal                                                      |
    |------------------------------|-----------------------------------------------------------|
    | investigate, sweep           | the place of the order                                    |
    | support                      | a place chosen by the agent, with a view of the estimate  |
    | linger, or no place yet      | the agent's own position                                  |
    """

    kind = "choose_search_place"
    writes = {"goal": tuple, "order": SearchOrder}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name
        self._cover: Query = place_query("support")

    def tick(self, mind: Mind) -> Status:
        """Ask the hunt for an order."""
        order = mind.world.hunt.choose(mind.number, mind.xyz, mind.time)
        self.reason = order.reason
        if order.role in ("none", "combat"):
            return FAILURE
        goal = self._standing_place(mind) if order.role == "support" else order.goal or mind.xyz
        mind.blackboard["goal"], mind.blackboard["order"] = goal, order
        if order.role != "linger":
            mind.decided = order.reason
            mind.world.happened(_event(mind, order, goal))
        return SUCCESS

    def _standing_place(self, mind: Mind) -> Place:
        """Return a place from which to cover the others, or the agent's own position if there is none."""
        hunt = mind.world.hunt
        assert hunt.coordinator is not None
        if hunt.coordinator.estimate_xyz is None:
            return mind.xyz
        taken = [place for other, place in hunt.bound.items() if other != mind.number]
        places = {"place": hunt.coordinator.estimate_xyz[None], "colleagues": np.array(taken).reshape(-1, 3)}
        choice = mind.world.reasoning.picker.pick(self._cover, np.array(mind.xyz), places=places)
        self.reason += f"; {choice.why()}"
        if choice.cell < 0:
            return mind.xyz
        place = as_place(choice.xyz[0])
        hunt.head_for(mind.number, place)
        return place


def _event(mind: Mind, order: SearchOrder, goal: Place) -> Searches:
    """Return the event of an order, with the scores behind it."""
    found, choice = order.found, order.choice
    ranked: dict[str, Any] = {}
    if found is not None:
        ranked = {name: tuple(getattr(found, name).tolist()) for name in ("scores", "metres")}
        ranked |= {"cells": tuple(found.best.tolist()), "terms": tuple(map(tuple, found.terms.tolist()))}
    elif choice is not None:
        ranked = {"spot": choice.spot, "score": choice.score, "spot_terms": tuple(choice.terms.tolist())}
    return Searches(mind.world.tick, mind.number, at=goal, role=order.role, **ranked)


@leaf
class GoSearching(MovingLeaf):
    """Carry out the order of the search; at openings on the way, glance, turn, or walk over and look in.

    | on the way                         | status  |
    |------------------------------------|---------|
    | walking, or covering others        | RUNNING |
    | arrived, or the order has changed  | SUCCESS |
    | no path, or stuck for long         | FAILURE |
    """

    kind = "go_searching"
    reads = {"goal": tuple, "order": SearchOrder}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name
        self._looks_again, self._aside = -math.inf, 0.0

    def tick(self, mind: Mind) -> Status:
        """Go on while the order is valid."""
        order: SearchOrder = mind.blackboard["order"]
        goal: Place = mind.blackboard["goal"]
        if not mind.world.hunt.stands(mind.number):
            self.reason = "has a new order"
            return SUCCESS
        if order.role == "support" and (mind.has_arrived or mind.distance_to(goal) < 0.5):
            return self._cover(mind)
        gap = mind.world.hunt.glance_at(mind.number, mind.time)
        if gap is not None:
            return self._inspect(mind, order, goal, gap)
        mind.go(goal, order.gait, pace=order.pace)
        self._look_aside(mind, order)
        if mind.has_arrived:
            self.reason = "there"
            return SUCCESS
        if mind.is_stopped:
            self.reason = "no way on"
            return FAILURE
        self.reason = f"{order.role}: {mind.distance_to(goal):.0f} m to go"
        return RUNNING

    def _look_aside(self, mind: Mind, order: SearchOrder) -> None:
        """Turn the head to where most is left to see on the way, if the search weighs that."""
        if order.found is None or order.found.by != "gain":
            return
        if mind.time >= self._looks_again:
            self._looks_again = mind.time + _LOOKS
            way, shows = mind.world.hunt.search.unseen_direction(mind.xyz, mind.heading, most=_NECK)
            self._aside = way - mind.heading if shows > _WORTH else 0.0
        if self._aside:
            mind.look(mind.heading + self._aside)

    def _inspect(self, mind: Mind, order: SearchOrder, goal: Place, gap: Gap) -> Status:
        """Look into an opening with its response: while walking, standing, or from the opening itself."""
        place = as_place(gap.xyz)
        # Only sweeping agents leave their path; others look in as they pass.
        if gap.response == "walk over" and order.role == "sweep":
            mind.go(place, order.gait, pace=order.pace)
            self.reason = f"walks over to an opening on the {gap.side}"
            if mind.distance_to(place) <= _AT_GAP or mind.has_arrived or mind.is_stopped:
                mind.world.hunt.look_in(mind.number, mind.time)
            return RUNNING
        if gap.response == "turn":
            mind.stand()
        else:
            mind.go(goal, order.gait, pace=order.pace)
        heading = gap.heading if mind.distance_to(place) <= _AT_GAP else mind.heading_to(place)
        mind.look(heading)
        if gap.response == "turn":
            mind.face(heading)
        self.reason = f"looks into an opening on the {gap.side}"
        return RUNNING

    def _cover(self, mind: Mind) -> Status:
        """Stand and watch the estimated position of the target."""
        coordinator = mind.world.hunt.coordinator
        mind.stand()
        if coordinator is not None and coordinator.estimate_xyz is not None:
            mind.turn(mind.heading_to(as_place(coordinator.estimate_xyz)))
        self.reason = "covers the others"
        return RUNNING


@leaf
class OpenSpot(BrainLeaf):
    """Open the hiding place within `reach` metres, if there is one, and speak by `trigger`. Always SUCCESS."""

    kind = "open_spot"

    def __init__(self, *, reach: float = 1.5, trigger: str = "", name: str = ""):
        self.reach, self.trigger, self.name = reach, trigger, name

    def tick(self, mind: Mind) -> Status:
        """Open every hiding place within reach."""
        for number, place in enumerate(mind.world.level.hiding_places):
            if mind.distance_to(place.xyz) <= self.reach:
                mind.act("use spot", number)
                self.reason = f"opens {place.name or 'a hiding place'}"
                if self.trigger:
                    mind.bark(self.trigger)
        return SUCCESS


@leaf
class GiveUp(BrainLeaf):
    """Report that the agent gives up a search, chase or flight; say a line or speak by `trigger`. Always SUCCESS."""

    kind = "give_up"

    def __init__(self, *, line: str = "", trigger: str = "", name: str = ""):
        self.line, self.trigger, self.name = line, trigger, name

    def details(self) -> str:
        """Return the line or the trigger."""
        return repr(self.line) if self.line else self.trigger

    def tick(self, mind: Mind) -> Status:
        """Give up, once, unless the hunt has ended well; the coordinator may have reported it."""
        hunt = mind.world.hunt
        if mind.state in (AgentState.SEARCH, AgentState.CHASE, AgentState.FLEE) and mind.number not in hunt.released:
            if mind.state != AgentState.SEARCH or mind.number not in hunt.gave_up:
                state = AgentState(mind.state)
                mind.world.happened(GivesUp(mind.world.tick, mind.number, at=mind.xyz, state=state))
            if self.line:
                mind.say(self.line)
            if self.trigger:
                mind.bark(self.trigger)
        return SUCCESS
