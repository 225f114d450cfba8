"""Searching: places chosen one after another on the map all searchers share."""

from __future__ import annotations

from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, SUCCESS, Status
from ..mind import Mind

__all__ = ["ChooseSearchPlace", "OpenSpot"]


class ChooseSearchPlace(Leaf):
    """Takes the best place of the search map that others do not look at, to "goal"; FAILURE where nothing is left."""

    kind = "choose_search_place"
    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Ask the hunt."""
        hunt = mind.world.hunt
        hunt.join(mind.number, mind.xyz)
        found = hunt.choose(mind.number, mind.xyz)
        self.reason = found.explain()
        if not found:
            return FAILURE
        x, y, z = found.xyz.tolist()
        goal = (x, y, z)
        mind.blackboard["goal"] = goal
        mind.tell(
            "searches",
            f"{mind.name} looks at ({goal[0]:.1f}, {goal[1]:.1f})",
            at=goal,
            data={
                "cells": found.best.tolist(),
                "scores": found.scores.tolist(),
                "terms": found.terms.tolist(),
                "metres": found.metres.tolist(),
            },
        )
        return SUCCESS


class OpenSpot(Leaf):
    """Opens the hiding place it stands at, if there is one; always SUCCESS."""

    kind = "open_spot"

    def __init__(self, *, reach: float = 1.5, name: str = ""):
        self.reach, self.name = reach, name

    def tick(self, mind: Mind) -> Status:
        """Open what is within reach."""
        for number, place in enumerate(mind.world.level.hiding_places):
            if mind.distance_to(place.xyz) <= self.reach:
                mind.act("use spot", number)
                self.reason = f"opens {place.name or 'a hiding place'}"
        return SUCCESS
