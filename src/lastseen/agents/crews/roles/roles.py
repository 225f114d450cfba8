"""Roles: several roles of one crew, and the assignment of members to roles and places with the highest total score."""

from __future__ import annotations

import math
import typing
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from ....checks import real_array, shown
from ....conventions import Array, Floats
from ....errors import BehaviourError, InputError
from ....kernels.rules.assignment import assign_members, settle_scores
from ...behaviour.node import Composite, Node
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...brains.mind import Place
from ..crew_mind import CrewMind
from ..grouping import LARGEST
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
            able = f"{bid.able} may have it" + (f" ({bid.refused})" if bid.refused else "")
            bid.role.settled = (RUNNING, "") if bid.role.needs == 0 else None
            if bid.role.settled is None:
                bid.role.end_or_fail(f"all roles together lack {found.short}; {able}", over=False)
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


FINEST = 1e-6
"""Resolution of scores."""
HIGHEST = 1e6
"""Upper bound of the absolute value of scores."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """An assignment of members to places.

    Attributes
    ----------
    place : (m,) int64, each member's place, -1 if none.
    score : sum over all assigned members.
    short : number of members missing from the roles' minimum counts; 0 if every role has enough.
    """

    place: Array
    score: float
    short: int


def assign(scores: Any, *, role: Any = None, room: Any = None, least: Any = None, most: Any = None) -> Assignment:
    """Return the assignment with the highest total score among those that leave the fewest members missing.

    Parameters
    ----------
    scores : (m, p), of each member at each place; -inf forbids it. A member without a place scores 0, so a place with
        a negative score is taken only if a role needs it.
    role : (p,) integers from 0 up, the role of each place; default: one role for all.
    room : (p,) capacity of each place; default 1.
    least, most : (r,) minimum and maximum number of members per role; default: none and unlimited.

    Notes
    -----
    Deterministic: equal inputs give equal results. Scores are rounded to `FINEST`.
    """
    value = real_array(scores, "scores", "(members, places) scores, -inf where forbidden")
    if value.ndim != 2:
        raise InputError(f"scores has shape {value.shape}; give (members, places)")
    if value.size and not (value.max() <= HIGHEST and (np.abs(value) <= HIGHEST)[value != -np.inf].all()):
        raise InputError(f"scores contains {shown(scores)}; give numbers between -{HIGHEST:g} and {HIGHEST:g}, or -inf")
    members, places = value.shape
    of = _counts(role, places, "role", 0)
    roles = int(of.max()) + 1 if places else 0
    for name, given in (("least", least), ("most", most)):
        if given is not None:
            roles = max(roles, real_array(given, name, "whole numbers from 0 up").size)
    needs, takes = _counts(least, roles, "least", 0), _counts(most, roles, "most", max(members, 1))
    if (needs > takes).any():
        which = int(np.flatnonzero(needs > takes)[0])
        raise InputError(f"role {which} needs {needs[which]} and takes {takes[which]}; give least ≤ most")
    return assigned(value, of, _counts(room, places, "room", 1), needs, takes)


def assigned(scores: Floats, role: Array, room: Array, least: Array, most: Array) -> Assignment:
    """Return the assignment for arguments that are already checked."""
    place = np.empty(len(scores), np.int64)
    short, score = assign_members(scores, FINEST, room, role, least, most, place)
    return Assignment(place, float(score), int(short))


def _counts(values: Any, count: int, name: str, usual: int) -> Array:
    if values is None:
        return np.full(count, usual, np.int64)
    numbers = real_array(values, name, f"({count},) whole numbers from 0 up")
    if (
        numbers.shape != (count,)
        or (numbers != np.floor(numbers)).any()
        or not ((numbers >= 0) & (numbers <= 1e9)).all()
    ):
        raise InputError(f"{name} is {shown(values)}; give {count} whole numbers from 0 up")
    return numbers.astype(np.int64)
