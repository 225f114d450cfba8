"""Checks of the two states of a level: zones of one size that lie apart, and senses that do not reach across."""

from __future__ import annotations

from collections.abc import Mapping

from ...agents.brains.level_states import are_alike, boxes_of
from ...level.level import Level
from .faults import Faults
from .scenario import AgentSpec, Incident, Scenario, powers_of

_WITHOUT = "add `level_states: [ZONE, ZONE]`, two zones of the level, or remove it"


def check_level_states(
    faults: Faults,
    scenario: Scenario,
    level: Level | None,
    agents: Mapping[int, AgentSpec],
    script: Mapping[int, Incident],
) -> None:
    """Check the zones of the two states; without them, that nothing asks an agent to travel."""
    if ("level_states",) in faults.ill:
        return
    if scenario.level_states is None:
        for number, spec in agents.items():
            if spec.brain == "traveller" or "travel" in (spec.powers or ()):
                field = "brain" if spec.brain == "traveller" else "powers"
                faults.add(("agents", number, field), "the level has one state, so no agent can travel", _WITHOUT)
        for number, row in script.items():
            if row.do == "travel":
                faults.add(("script", number, "do"), "the level has one state, so no agent can travel", _WITHOUT)
        return
    if scenario.hearing == "radius":
        what = "sounds would pass through the air from one state of the level to the other"
        faults.add(("hearing",), what, "choose path or area")
    if scenario.sharing == "broadcast":
        what = "what agents know would pass from one state of the level to the other"
        faults.add(("sharing",), what, "choose on contact or private")
    for number, spec in agents.items():
        if spec.brain == "traveller" and "travel" not in powers_of(scenario, spec):
            faults.add(("agents", number, "powers"), f"{spec.name!r} cannot travel", "add travel, or remove `powers`")
    if level is not None:
        _zones(faults, scenario.level_states, level)


def _zones(faults: Faults, names: tuple[str, ...], level: Level) -> None:
    known = list(dict.fromkeys(zone.name for zone in level.zones if zone.name))
    for number, name in enumerate(names):
        if name not in known:
            faults.unknown(("level_states", number), "zone", name, known)
    if names[0] == names[1]:
        faults.add(("level_states", 1), f"both states are {names[0]!r}", "name another zone")
    if names[0] == names[1] or not set(names) <= set(known):
        return
    low, high = boxes_of(level.zones, names)
    alike, apart = are_alike(low, high)
    if not alike:
        sizes = ["{:g} x {:g} m".format(*(top - bottom)[:2]) for bottom, top in zip(low, high)]
        what = f"{names[0]!r} measures {sizes[0]}, {names[1]!r} {sizes[1]}"
        faults.add(("level_states",), what, "draw the same floor plan twice: zones of the same size")
    elif not apart:
        faults.add(("level_states",), f"{names[0]!r} and {names[1]!r} overlap", "draw them side by side")
