"""Sharing out: all roles of a crew are given at once, so that the sum of scores is the highest there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....conventions import Bools, Floats
from ....errors import BehaviourError
from ...behaviour.status import RUNNING
from ...brains.mind import Place
from ..assignment import HIGHEST, assigned
from ..crew_mind import CrewMind
from ..words import Asked, Places
from .role import Role

__all__ = ["BUSY", "share_out"]

BUSY = 10.0
"""What having a role counts beside its scores: roles are filled as far as members may, then scores decide who."""


@dataclass(frozen=True, eq=False)
class _Bid:
    """One role as it stands: its places, who may, and what each is worth at each place."""

    role: Role
    places: Places | None
    may: Bools
    scores: Floats
    parts: tuple[Floats, ...]
    refused: str

    @property
    def count(self) -> int:
        """Columns it has: one for each place, or one for all."""
        return 1 if self.places is None else len(self.places)


def share_out(mind: CrewMind, roles: Sequence[Role]) -> None:
    """Settle all roles: tell the members that get one, and note for each role its status and why.

    If one cannot have as many as it needs, nobody is told anything: the crew's tree has to find another way.
    """
    open_roles = []
    for role in roles:
        why = "is over" if role.is_over else role.ends(mind)
        if why:
            role.end_or_fail(why, over=True)
        else:
            open_roles.append(role)
    if not open_roles:
        return
    members = mind.free
    bids = [_bid(mind, role, members) for role in open_roles]
    if not _can_be(bids):
        return
    owner = np.concatenate([np.full(bid.count, at, np.int64) for at, bid in enumerate(bids)])
    room = np.concatenate([np.full(bid.count, bid.role.takes if bid.places is None else 1, np.int64) for bid in bids])
    least = np.array([bid.role.needs for bid in bids], np.int64)
    most = np.array([bid.role.takes for bid in bids], np.int64)
    found = assigned(np.concatenate([bid.scores for bid in bids], axis=1), owner, room, least, most)
    if found.short:
        for bid in bids:
            who = f"{int(bid.may.sum())} may have it" + (f" ({bid.refused})" if bid.refused else "")
            bid.role.settled = (RUNNING, "") if bid.role.needs == 0 else None
            if bid.role.settled is None:
                bid.role.end_or_fail(f"all roles together lack {found.short}; {who}", over=False)
        return
    first = np.concatenate([[0], np.cumsum([bid.count for bid in bids])])
    for at, bid in enumerate(bids):
        mine = [
            (row, int(place - first[at])) for row, place in enumerate(found.place) if place >= 0 and owner[place] == at
        ]
        for row, place in mine:
            _tell(mind, bid, members[row], row, place)
        names = ", ".join(mind.name_of(members[row]) for row, _ in mine)
        bid.role.settled = RUNNING, names or "nobody"


def _can_be(bids: Sequence[_Bid]) -> bool:
    """Note of each role that alone cannot have what it needs that it fails; return whether all can."""
    short = False
    for bid in bids:
        have = min(int(bid.may.sum()), bid.count if bid.places is not None else bid.role.takes)
        if have >= bid.role.needs:
            continue
        short = True
        what = "places" if bid.places is not None and bid.count < bid.role.needs else "members"
        count = bid.count if what == "places" else int(bid.may.sum())
        why = f"; {bid.refused}" if bid.refused and what == "members" else ""
        bid.role.end_or_fail(f"needs {bid.role.needs}, has {count} {what}{why}", over=False)
    if short:
        for bid in bids:
            if bid.role.settled is None:
                bid.role.settled = RUNNING, "waits for the other roles"
    return not short


def _bid(mind: CrewMind, role: Role, members: tuple[int, ...]) -> _Bid:
    places = role.found_places(mind)
    may = np.zeros(len(members), np.bool_)
    refused = ""
    for row, member in enumerate(members):
        may[row], why = role.may.holds(mind, member)
        if not may[row] and not refused:
            refused = f"{mind.name_of(member)}: {why}"
    asked = Asked(role.label, places)
    scores = np.full((len(members), asked.count), BUSY)
    parts = []
    for word, weight in role.prefer:
        part = np.asarray(word.function(mind, members, asked), np.float64)
        if part.shape != scores.shape or not np.isfinite(part).all():
            raise BehaviourError(f"score {word.name} of {role.label} is no table {scores.shape} of finite numbers")
        parts.append(part)
        scores += weight * part
    scores = np.clip(scores, -HIGHEST, HIGHEST)
    scores[~may] = -np.inf
    return _Bid(role, places, may, scores, tuple(parts), refused)


def _tell(mind: CrewMind, bid: _Bid, member: int, row: int, place: int) -> None:
    """Let a member know its role, with what it is to do and why it is the one."""
    xyz: Place | None = None
    slot = -1
    if bid.places is not None:
        x, y, z = bid.places.xyz[place].tolist()
        xyz, slot = (x, y, z), int(bid.places.number[place])
    words = [] if bid.places is None or not bid.places.words else [bid.places.words[place]]
    for (word, weight), part in zip(bid.role.prefer, bid.parts):
        if weight and word.says is not None:
            words.append(word.says(mind, member, xyz, float(part[row, place])))
    reason = "; ".join(word for word in words if word) or "may"
    values = {key: value.of(mind, member, xyz) for key, value in bid.role.directions.items()}
    mind.claim(member, bid.role.label, f"{bid.role.label}: {reason}", values, slot)
