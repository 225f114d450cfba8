"""A trial: one beginning, with crews on or off, measured until it ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....conventions import Array
from ...game_loop import failure_of, step
from ...world.contacts import Contacts
from .beginnings import Field
from .gauge import Gauge

METRICS = ("contacts", "lines", "at_once", "over", "flank", "searched", "resighted", "apart")
"""Metrics in the order of tables; see `CrewTrial`."""
_SAMPLE = 1.0


@dataclass(frozen=True, eq=False)
class CrewTrial:
    """Result of a trial. NaN means there was nothing to measure: no fight, no loss, or a single guard.

    Attributes
    ----------
    contacts : how often guards bumped into each other, per minute.
    lines : how often a guard had a colleague in its line of fire, per minute.
    at_once : mean number of simultaneous attackers, over the time with any.
    over : 0 … 1, share of the time with more attackers than tokens allow.
    flank : seconds from the first sighting until the target had guards on two sides, or else until the end.
    searched : square metres per minute looked at while the target was unseen, until 90 % of the floor was.
    resighted : mean seconds from a loss until it was seen again, or until the end. Not for sweeps.
    apart : mean distance in metres to the nearest colleague, over busy guards.
    guards : number of guards.
    seconds, ending : duration, and reason of the end.
    names : of all agents, in the order of `tracks`.
    digest : of all steps.
    tracks : (samples, agents, 3) float32, one sample per second.
    failure : message of a brain that raised; else empty.
    """

    contacts: float
    lines: float
    at_once: float
    over: float
    flank: float
    searched: float
    resighted: float
    apart: float
    guards: int
    seconds: float
    ending: str
    names: tuple[str, ...]
    digest: str
    tracks: Array
    failure: str = ""


def run_trial(field: Field, number: int, *, crews: bool) -> CrewTrial:
    """Run one trial; the same seed gives the same trial."""
    world = field.world(number, crews=crews)
    world.motion.contacts = Contacts()
    kind = field.kind(number)
    hunt, sweep = kind == "hunt", kind == "sweep"
    gauge, tracks = Gauge(world, lost=hunt or sweep), []
    every = max(1, round(_SAMPLE / world.step))
    while world.ending is None:
        if world.tick % every == 0:
            tracks.append(world.bodies.xyz.astype(np.float32))
        step(world)
        gauge.note(world)
        if hunt and max(world.attention.seen, default=-1) >= 0:
            world.end("seen")
    gauge.end(world)
    minutes = gauge.steps * world.step / 60.0
    several = len(gauge.guards) > 1
    fights = world.combat is not None and gauge.since < math.inf
    arms = () if world.combat is None else [world.combat.attack[guard] for guard in gauge.guards.tolist()]
    shoots = fights and "ranged" in arms
    unseen = gauge.unseen * world.step
    nothing = math.nan
    return CrewTrial(
        contacts=gauge.contacts / minutes if minutes and several else nothing,
        lines=gauge.lines / minutes if minutes and shoots and several else nothing,
        at_once=float(np.mean(gauge.attacking)) if fights and gauge.attacking else nothing,
        over=gauge.over / gauge.steps if fights else nothing,
        flank=min(gauge.flanked, world.time - gauge.since) if several and fights else nothing,
        searched=60.0 * gauge.looked / unseen if unseen >= 2.0 else nothing,
        resighted=float(np.mean(gauge.resighted)) if gauge.resighted and not sweep else nothing,
        apart=float(np.mean(gauge.gaps)) if gauge.gaps else nothing,
        guards=len(gauge.guards),
        seconds=world.time,
        ending=world.ending.reason,
        names=world.names,
        digest=world.trace.digest.hexdigest(),
        tracks=np.stack(tracks),
        failure=failure_of(world),
    )
