"""Roles: several roles of one crew, assigned together so that the total score is maximal."""

from __future__ import annotations

import math
import typing
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from ....conventions import Floats
from ....errors import BehaviourError
from ....kernels.rules.assignment import settle_scores
from ...behaviour.node import Composite, Node
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...brains.mind import Place
from ..crew_mind import CrewMind
from ..grouping import LARGEST
from .assignment import HIGHEST, Assignment, assigned
from .role import Role
from .vocabulary import Asked, Places, Word


class Roles(Composite):
    """Assign all its roles at every tick so that the total score is maximal.

    | the roles under it                     | roles                                            |
    |----------------------------------------|--------------------------------------------------|
    | one cannot have as many as it needs    | FAILURE; this node gives no directions           |
    | all are over                           | SUCCESS                                          |
    | otherwise                              | RUNNING                                          |

    Members without a direction, and all members once the node is left, follow their own trees.
    """

    kind = "roles"

    def __init__(self, children: typing.Sequence[Node], *, name: str = ""):
        super().__init__(children, name=name)

    def check(self) -> None:
        """Reject children that are not roles, duplicate names, and more members than a crew can have."""
        super().check()
        names: set[str] = set()
        for child in self.children:
            if not isinstance(child, Role):
                raise BehaviourError(f"{child.label} under {self.label} is not a role; move it out of {self.label}")
            if child.label in names:
                raise BehaviourError(f"there are two roles {child.label!r} under {self.label}; give each a unique name")
            names.add(child.label)
        needed = sum(child.needs for child in self.children if isinstance(child, Role))
        if needed > LARGEST:
            raise BehaviourError(f"the roles under {self.label} need {needed} members; a crew has at most {LARGEST}")
        self._check_narrow()

    def _check_narrow(self) -> None:
        """Reject roles that together need more members than a word they all require can hold for."""
        needed: Counter[str] = Counter()
        for role in [child for child in self.children if isinstance(child, Role)]:
            word = role.may.narrowest()
            if word is None:
                continue
            needed[word.name] += role.needs
            if needed[word.name] > (word.most or 0):
                what = f"the roles under {self.label} that require {word.name} need {needed[word.name]} members"
                raise BehaviourError(f"{what}, but it holds for at most {word.most}; let one of them do without it")

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Mark all roles as not over."""
        for child in self.children:
            child.forget()

    def tick(self, mind: CrewMind) -> Status:
        """Assign the roles."""
        roles = [child for child in self.children if isinstance(child, Role)]
        share_out(mind, roles)
        found = [role.run(mind) for role in roles]
        if FAILURE in found:
            for role in roles:
                role.interrupt(mind)
            return FAILURE
        return SUCCESS if all(status is SUCCESS for status in found) else RUNNING


BUSY = 10.0
"""Bonus for having a role: roles are filled as far as possible, then scores decide between members."""


@dataclass(eq=False, slots=True)
class _Bid:
    """One open role: its places, the eligible members, and their scores. Not frozen, for speed."""

    role: Role
    places: Places | None
    may: list[bool]
    scores: Floats
    parts: tuple[Floats, ...]
    refused: str

    @property
    def able(self) -> int:
        """Number of eligible members."""
        return sum(self.may)

    @property
    def count(self) -> int:
        """Number of columns: one per place, or one in all."""
        return 1 if self.places is None else len(self.places)

    @property
    def room(self) -> int:
        """Capacity of each column."""
        return self.role.takes if self.places is None else 1


def share_out(mind: CrewMind, roles: Sequence[Role]) -> None:
    """Settle all roles: direct the members that get one, and record the status and reason of each role.

    If a role cannot have as many members as it needs, no directions are given, and the crew's tree must find another
    way.
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
    found = _assigned(bids)
    if found.short:
        for bid in bids:
            who = f"{bid.able} may have it" + (f" ({bid.refused})" if bid.refused else "")
            bid.role.settled = (RUNNING, "") if bid.role.needs == 0 else None
            if bid.role.settled is None:
                bid.role.end_or_fail(f"all roles together lack {found.short}; {who}", over=False)
        return
    first = [0, *accumulate(bid.count for bid in bids)]
    given = [(row, place) for row, place in enumerate(found.place.tolist()) if place >= 0]
    shares = [
        [(row, place - first[at]) for row, place in given if first[at] <= place < first[at + 1]]
        for at in range(len(bids))
    ]
    for bid, mine in zip(bids, shares):
        mind.shared.update((members[row], bid.role.label) for row, _ in mine)
    for bid, mine in zip(bids, shares):
        for row, place in mine:
            _tell(mind, bid, members[row], row, place)
        names = ", ".join(mind.name_of(members[row]) for row, _ in mine)
        bid.role.settled = RUNNING, names or "nobody"


def _assigned(bids: Sequence[_Bid]) -> Assignment:
    """Return the assignment, with the places of all bids as consecutive columns."""
    owners: list[int] = []
    rooms: list[int] = []
    for at, bid in enumerate(bids):
        owners += [at] * bid.count
        rooms += [bid.room] * bid.count
    owner, room = np.array(owners, np.int64), np.array(rooms, np.int64)
    least = np.array([bid.role.needs for bid in bids], np.int64)
    most = np.array([bid.role.takes for bid in bids], np.int64)
    scores = np.concatenate([bid.scores for bid in bids], axis=1)
    settle_scores(scores, owner, np.array([bid.may for bid in bids], np.bool_), HIGHEST, BUSY)
    return assigned(scores, owner, room, least, most)


def _can_be(bids: Sequence[_Bid]) -> bool:
    """Mark each role that cannot be filled on its own as failed; return whether all can."""
    short = False
    for bid in bids:
        if not bid.role.needs:
            continue
        have = min(bid.able, bid.count if bid.places is not None else bid.role.takes)
        if have >= bid.role.needs:
            continue
        short = True
        what = "members" if bid.able < bid.role.needs else "places"
        count = bid.count if what == "places" else bid.able
        why = f"; {bid.refused}" if bid.refused and what == "members" else ""
        bid.role.end_or_fail(f"needs {bid.role.needs}, has {count} {what}{why}", over=False)
    if short:
        for bid in bids:
            if bid.role.settled is None:
                bid.role.settled = RUNNING, "waits for the other roles"
    return not short


def _bid(mind: CrewMind, role: Role, members: tuple[int, ...]) -> _Bid:
    may, refused = [], ""
    for member in members:
        why = role.may.refusal(mind, member)
        may.append(why is None)
        if why is not None and not refused:
            refused = f"{mind.name_of(member)}: {why}"
    # If no member is eligible, skip the search for places.
    places = role.found_places(mind) if True in may or role.places is None else Places.of([])
    asked = Asked(role.label, places)
    shape = len(members), asked.count
    scores = None
    parts = []
    for word, weight in role.prefer:
        part = np.asarray(word.function(mind, members, asked), np.float64)
        if part.shape != shape:
            raise _no_table(word, role, shape)
        parts.append(part)
        if scores is None:
            scores = weight * part
            scores += BUSY
        else:
            scores += weight * part
    if scores is None:
        scores = np.full(shape, BUSY)
    # The sum shows whether all scores are finite; only if it is not, find the culprit.
    if not math.isfinite(np.add.reduce(scores, axis=None)):
        for (word, _), part in zip(role.prefer, parts):
            if not np.isfinite(part).all():
                raise _no_table(word, role, shape)
    return _Bid(role, places, may, scores, tuple(parts), refused)


def _no_table(word: Word, role: Role, shape: tuple[int, int]) -> BehaviourError:
    return BehaviourError(f"score {word.name} of {role.label} is not a table {shape} of finite numbers")


def _tell(mind: CrewMind, bid: _Bid, member: int, row: int, place: int) -> None:
    """Give a member its role, directions and the reason it was chosen."""
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
