"""Searching: places chosen one after another, on the map all searchers share or by the order of a coordinator."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....reasoning.locations.query import Query
from ....reasoning.search.gaps import Gap
from ....vocabulary.events import GivesUp, Searches
from ....vocabulary.words import AgentState
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..mind import Mind, Place
from ..search_order import SearchOrder
from ..shipped_brains import place_query

__all__ = ["ChooseSearchPlace", "GiveUp", "GoSearching", "OpenSpot"]

_AT_GAP = 0.6
"""Metres from the place in an opening at which one is there."""


class ChooseSearchPlace(Leaf):
    """Asks the search what to do and writes it to "goal" and "order"; FAILURE where nothing is left.

    | the search says              | goal                                                     |
    |------------------------------|----------------------------------------------------------|
    | investigate, sweep           | the place named                                          |
    | support                      | a place of its own from which it sees the one looked into |
    | linger, or no place yet      | where it stands                                          |
    """

    kind = "choose_search_place"
    writes = {"goal": tuple, "order": SearchOrder}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name
        self._cover: Query = place_query("support")

    def tick(self, mind: Mind) -> Status:
        """Ask the hunt."""
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
        """Return where to cover the others from, or where it stands if there is nowhere better."""
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
        x, y, z = choice.xyz[0].tolist()
        hunt.head_for(mind.number, (x, y, z))
        return x, y, z


def _event(mind: Mind, order: SearchOrder, goal: Place) -> Searches:
    """Return the event of an order, with the numbers behind it."""
    found, choice = order.found, order.choice
    ranked: dict[str, Any] = {}
    if found is not None:
        ranked = {name: tuple(getattr(found, name).tolist()) for name in ("scores", "metres")}
        ranked |= {"cells": tuple(found.best.tolist()), "terms": tuple(map(tuple, found.terms.tolist()))}
    elif choice is not None:
        ranked = {"spot": choice.spot, "score": choice.score, "spot_terms": tuple(choice.terms.tolist())}
    return Searches(mind.world.tick, mind.number, at=goal, role=order.role, **ranked)


class GoSearching(Leaf):
    """Goes where the search sent it, minding openings it passes: it glances or turns there, or walks over and looks in.

    | on the way                        | status  |
    |-----------------------------------|---------|
    | walking, or covering others       | RUNNING |
    | there, or the order has changed   | SUCCESS |
    | no way, or stuck for long         | FAILURE |
    """

    kind = "go_searching"
    reads = {"goal": tuple, "order": SearchOrder}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Go on for as long as the order stands."""
        order: SearchOrder = mind.blackboard["order"]
        goal: Place = mind.blackboard["goal"]
        if not mind.world.hunt.stands(mind.number):
            self.reason = "has a new order"
            return SUCCESS
        if order.role == "support" and (mind.has_arrived or mind.distance_to(goal) < 0.5):
            return self._cover(mind)
        gap = mind.world.hunt.glance_at(mind.number, mind.time)
        if gap is not None:
            return self._mind_gap(mind, order, goal, gap)
        mind.go(goal, order.gait, pace=order.pace)
        if mind.has_arrived:
            self.reason = "there"
            return SUCCESS
        if mind.is_stopped:
            self.reason = "no way on"
            return FAILURE
        self.reason = f"{order.role}: {mind.distance_to(goal):.0f} m to go"
        return RUNNING

    def _mind_gap(self, mind: Mind, order: SearchOrder, goal: Place, gap: Gap) -> Status:
        """Look into an opening as it was drawn: from the way, standing, or from the opening itself."""
        x, y, z = gap.xyz.tolist()
        # One who is sent to a place at once does not stray from its way; it looks as it passes.
        if gap.response == "walk over" and order.role == "sweep":
            mind.go((x, y, z), order.gait, pace=order.pace)
            self.reason = f"walks over to an opening on the {gap.side}"
            if mind.distance_to((x, y, z)) <= _AT_GAP or mind.has_arrived or mind.is_stopped:
                mind.world.hunt.look_in(mind.number, mind.time)
            return RUNNING
        if gap.response == "turn":
            mind.stand()
        else:
            mind.go(goal, order.gait, pace=order.pace)
        inside = mind.distance_to((x, y, z)) <= _AT_GAP
        heading = gap.heading if inside else mind.heading_to((x, y, z))
        mind.look(heading)
        if gap.response == "turn":
            mind.face(heading)
        self.reason = f"looks into an opening on the {gap.side}"
        return RUNNING

    def _cover(self, mind: Mind) -> Status:
        """Stand and watch the place the others look into."""
        coordinator = mind.world.hunt.coordinator
        mind.stand()
        if coordinator is not None and coordinator.estimate_xyz is not None:
            x, y, z = coordinator.estimate_xyz.tolist()
            heading = mind.heading_to((x, y, z))
            mind.face(heading)
            mind.look(heading)
        self.reason = "covers the others"
        return RUNNING

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Stop."""
        mind.stand()


class OpenSpot(Leaf):
    """Opens the hiding place it stands at, if there is one, with a reason to speak: `trigger`; always SUCCESS."""

    kind = "open_spot"

    def __init__(self, *, reach: float = 1.5, trigger: str = "", name: str = ""):
        self.reach, self.trigger, self.name = reach, trigger, name

    def tick(self, mind: Mind) -> Status:
        """Open what is within reach."""
        for number, place in enumerate(mind.world.level.hiding_places):
            if mind.distance_to(place.xyz) <= self.reach:
                mind.act("use spot", number)
                self.reason = f"opens {place.name or 'a hiding place'}"
                if self.trigger:
                    mind.bark(self.trigger)
        return SUCCESS


class GiveUp(Leaf):
    """Has it written down that the agent gives up, if it searched, chased or fled, and speaks: a line, or what rules
    find for a `trigger`. Always SUCCESS."""

    kind = "give_up"

    def __init__(self, *, line: str = "", trigger: str = "", name: str = ""):
        self.line, self.trigger, self.name = line, trigger, name

    def details(self) -> str:
        """Return the line or the trigger."""
        return repr(self.line) if self.line else self.trigger

    def tick(self, mind: Mind) -> Status:
        """Give up, once."""
        if mind.state in (AgentState.SEARCH, AgentState.CHASE, AgentState.FLEE):
            mind.world.happened(GivesUp(mind.world.tick, mind.number, at=mind.xyz, state=AgentState(mind.state)))
            if self.line:
                mind.say(self.line)
            if self.trigger:
                mind.bark(self.trigger)
        return SUCCESS
