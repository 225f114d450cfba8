"""A trial: one beginning, with crews on or off, measured until it is over."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...conventions import Array
from ..contacts import Contacts
from ..game_loop import step
from .beginnings import Field
from .gauge import Gauge

__all__ = ["METRICS", "CrewTrial", "run_trial"]

METRICS = ("contacts", "lines", "at_once", "over", "flank", "searched", "resighted", "apart")
"""What is measured, in the order of tables; see `CrewTrial`."""
_SAMPLE = 1.0


@dataclass(frozen=True, eq=False)
class CrewTrial:
    """What came of it. NaN: there was nothing to measure: no fight, nobody lost, one guard.

    Attributes
    ----------
    contacts : how often guards ran into each other, a minute.
    lines : how often a guard had a colleague in its line of fire, a minute.
    at_once : how many guards attacked at once, in the mean over the time in which any did.
    over : 0 … 1, share of the time in which more attacked than tokens allow.
    flank : seconds from the first sight until the target had guards on two sides; never: the rest of the trial.
    searched : square metres a minute looked at while nobody saw the target, until nine tenths of the floor were.
    resighted : seconds from a loss until it was seen again, in the mean; not again: until the end. Not of sweeps.
    apart : metres to the nearest colleague, in the mean over guards who are busy.
    guards : how many there were.
    seconds, ending : how long it went on, and why it ended.
    names : of everybody, in the order of `tracks`.
    digest : of all steps.
    tracks : (samples, agents, 3) float32, a sample a second.
    failure : where a brain raised: what it said; else empty.
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
    """Let one beginning play out; the same seed gives the same trial."""
    world = field.world(number, crews=crews)
    world.contacts = Contacts()
    kind = field.kind(number)
    hunt, sweep = kind == "hunt", kind == "sweep"
    gauge, tracks = Gauge(world, lost=hunt or sweep), []
    every = max(1, round(_SAMPLE / world.step))
    while world.ending is None:
        if world.tick % every == 0:
            tracks.append(world.bodies.xyz.astype(np.float32))
        step(world)
        gauge.note(world)
        if hunt and max(world.seen, default=-1) >= 0:
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
        digest=world.digest.hexdigest(),
        tracks=np.stack(tracks),
        failure=world.ending.text if world.ending.reason == "brain failed" else "",
    )
