"""Words and leaves for ambushes set up by level designers: volumes, spots, triggers and consequences."""

from __future__ import annotations

import math

import numpy as np

from ....errors import BehaviourError, did_you_mean
from ....kernels.arrays.agent_arrays import ACTIVE
from ....level.features import Zone
from ....vocabulary.events import Sprung
from ...behaviour.leaf import Leaf
from ...behaviour.status import SUCCESS, Status
from ...brains.mind import Place
from ...limits import Priority, Seconds, Timespan
from ..crew_mind import CrewMind
from ..roles.vocabulary import RoleWords

Answer = tuple[bool, str]
_BELOW = 0.5
"""Metres by which a volume extends below its floor."""
_KIND = "trap"
"""Kind of the zones that trigger an ambush if no name is given."""


def add_ambush(words: RoleWords) -> None:
    """Add the words of ambushes."""
    words.crew(target_in_zone, names={"zone": "zone", "kind": "zone kind"})
    words.crew(was_attacked)
    words.value(_trap, name="trap")


def _zones(mind: CrewMind, name: str, kind: str) -> list[Zone]:
    """Return the zones with a name or of a kind; an unknown name is an error."""
    zones = mind.world.level.zones
    if name and not any(zone.name == name for zone in zones):
        known = [zone.name for zone in zones]
        raise BehaviourError(f"no zone {name!r}{did_you_mean(name, known)} in the level; there are {known}")
    return [zone for zone in zones if (zone.name == name if name else zone.kind == kind)]


def _holds(zone: Zone, place: Place) -> bool:
    """Return whether a place is in a volume, by the even-odd rule for a ray to the right."""
    x, y, z = place
    if not zone.z - _BELOW <= z <= zone.z + zone.height:
        return False
    outline = np.asarray(zone.outline_xy)
    before = np.roll(outline, 1, axis=0)
    spans = (outline[:, 1] > y) != (before[:, 1] > y)
    rise = before[spans, 1] - outline[spans, 1]
    at = outline[spans, 0] + (y - outline[spans, 1]) / rise * (before[spans, 0] - outline[spans, 0])
    return bool((at > x).sum() % 2)


def target_in_zone(mind: CrewMind, zone: str = "", kind: str = _KIND) -> Answer:
    """Return whether the target is in a volume of this name or kind, whether or not it is seen."""
    target = mind.crew.target
    if target < 0 or mind.world.bodies.mode[target] != ACTIVE:
        return False, "there is nobody to come"
    place = mind.place_of(target)
    found = next((one for one in _zones(mind, zone, kind) if _holds(one, place)), None)
    return found is not None, f"it is in {found.name or found.kind}" if found is not None else "it is not there"


def was_attacked(mind: CrewMind, within: Seconds = 2.0) -> Answer:
    """Return whether a member was hit or lost in the last `within` seconds."""
    combat = mind.world.combat
    hits = (
        {} if combat is None else {member: combat.hurt[member][0] for member in mind.members if member in combat.hurt}
    )
    hits |= {member: when for member, (_, when) in mind.crew.lost_as.items()}
    for member, when in hits.items():
        if mind.time - when <= within:
            return True, f"{mind.name_of(member)} was hit"
    return False, "nobody was hit"


def _trap(mind: CrewMind, member: int, xyz: Place | None) -> Place | None:
    """Return the centre of the nearest volume of kind "trap", or None."""
    here = mind.place_of(member) if xyz is None else xyz
    middles = [(*map(float, np.mean(zone.outline_xy, axis=0)), zone.z) for zone in _zones(mind, "", _KIND)]
    found = min(middles, key=lambda middle: math.dist(middle, here), default=None)
    return None if found is None else (found[0], found[1], found[2])


class Spring(Leaf):
    """Spring an ambush: members learn where the target is and request `objective` instead of the present one.

    Always SUCCESS. The designers' triggers know where the player is, so they may reveal it.
    """

    kind = "spring"

    def __init__(self, *, objective: str = "fight", priority: Priority = 3.0, seconds: Timespan = 3.0, name: str = ""):
        self.objective, self.priority, self.seconds, self.name = objective, priority, seconds, name

    def details(self) -> str:
        """Return the next objective."""
        return self.objective

    def tick(self, mind: CrewMind) -> Status:
        """Inform all members and change their requests."""
        world, crew = mind.world, mind.crew
        for member in crew.members:
            row = int(world.cast.watcher_row[member])
            if row >= 0 and mind.known.column >= 0:
                world.knowledge.touch(row, mind.known.column, world.bodies, mind.time)
                world.attention.act_on(row, mind.known.column, mind.time)
            world.teamwork.requests.withdraw(member, crew.objective)
            world.teamwork.requests.post(
                member, self.objective, crew.target, priority=self.priority, seconds=self.seconds, now=mind.time
            )
        sprung = Sprung(world.tick, crew.leader, crew.target, crew.number, crew.objective, crew.members)
        world.happened(sprung)
        return SUCCESS
