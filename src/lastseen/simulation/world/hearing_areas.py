"""Hearing from choke to choke over the environment of a level."""

from __future__ import annotations

from ...agents.senses.hearing.area_hearing import AreaGraph, AreaHearing, Choke
from ...agents.senses.hearing.hearing import Fairness
from ...conventions import Bools
from ...reasoning.tactical.environment import Environment


def hearing_over(environment: Environment, door_shut: Bools, fairness: Fairness) -> AreaHearing:
    """Return the hearing model while these doors are shut."""
    shut = door_shut.tolist()
    chokes = [Choke(*one.areas, one.xyz) for one in environment.chokes if one.door < 0 or not shut[one.door]]
    return AreaHearing(AreaGraph(tuple(chokes)), environment.area_at, fairness)
