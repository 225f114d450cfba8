"""Stimuli: what agents may react to, for how long, and which agents do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, instance_of, points_xyz, shown, whole_number
from ....conventions import Ids
from ....errors import InputError, QueryError
from ....reasoning.chase.pursuit import Stimulus
from ..arguments import one_of, things_of, time_of
from ..hearing.sounds import Sound


@dataclass(frozen=True, eq=False)
class PostedStimulus(Stimulus):
    """A stimulus on the board: a `Stimulus` of a chase with its range, lifetime and claims.

    Attributes
    ----------
    number : its number on the board.
    nature : "hostile" leads to an aggressive search, "distraction" to a cautious one (chapter 27).
    radius : distance in metres from `xyz` within which it matters.
    created, lifetime : seconds.
    most_claims : number of agents that may claim it, at least 1.
    about : row of the body or number of the object it is about; -1 if there is none.
    """

    number: int = -1
    nature: Literal["hostile", "distraction"] = "distraction"
    radius: float = 0.0
    created: float = 0.0
    lifetime: float = 30.0
    most_claims: int = 1
    about: int = -1

    def __post_init__(self) -> None:
        super().__post_init__()
        finite_number(self.radius, "radius", unit="m", low=0.0, high=1e6)
        finite_number(self.lifetime, "lifetime", unit="s", low=0.0, high=1e6)
        whole_number(self.most_claims, "most_claims", low=1)
        finite_number(self.created, "created", unit="s")
        one_of(self.nature, ("hostile", "distraction"), "nature")

    def lasts(self, now: float) -> bool:
        """Return whether the stimulus has not expired."""
        return now <= self.created + self.lifetime


class StimulusBoard:
    """The current stimuli and the agents that have claimed them, first come, first served.

    Numbers are never reused, so that an outdated number finds nothing instead of another stimulus.
    """

    def __init__(self) -> None:
        self._posted: dict[int, PostedStimulus] = {}
        self._claims: dict[int, list[int]] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._posted)

    def __iter__(self) -> Iterator[PostedStimulus]:
        return iter(self._posted.values())

    def post(
        self,
        kind: str,
        xyz: Any,
        *,
        now: float,
        priority: float | None = None,
        heading: Any = None,
        nature: Literal["hostile", "distraction"] = "distraction",
        radius: float = 1e6,
        lifetime: float = 30.0,
        most_claims: int = 1,
        about: int = -1,
    ) -> PostedStimulus:
        """Post a stimulus; see `PostedStimulus`."""
        stimulus = PostedStimulus(
            kind, xyz, priority, heading, self._next, nature, radius, now, lifetime, most_claims, about
        )
        self._posted[self._next] = stimulus
        self._claims[self._next] = []
        self._next += 1
        return stimulus

    def post_sound(self, sound: Sound, *, lifetime: float = 30.0, most_claims: int = 1) -> PostedStimulus:
        """Post a sound that was heard; it is worth a look for `lifetime` seconds."""
        sound = instance_of(sound, Sound, "sound", "give a Sound, such as sound('bottle', (x, y))")
        return self.post(
            sound.kind,
            sound.xyz,
            now=sound.created,
            priority=sound.priority,
            nature=sound.nature,
            radius=sound.radius,
            lifetime=lifetime,
            most_claims=most_claims,
            about=sound.made_by,
        )

    def get(self, number: int) -> PostedStimulus | None:
        """Return the stimulus with this number, or None if it has expired or was removed."""
        return self._posted.get(whole_number(number, "number", low=-1))

    def claims(self) -> Iterator[tuple[PostedStimulus, Sequence[int]]]:
        """Yield each stimulus with the agents that have claimed it, in order."""
        return zip(self._posted.values(), self._claims.values())

    def claimed_by(self, number: int) -> tuple[int, ...]:
        """Return the agents that have claimed a stimulus, in order."""
        return tuple(self._claims.get(whole_number(number, "number", low=-1), ()))

    def claim(self, number: int, agent: int) -> bool:
        """Claim a stimulus; return whether the agent has it. False if it is gone or has no claims left."""
        stimulus, agent = self.get(number), whole_number(agent, "agent")
        if stimulus is None:
            return False
        owners = self._claims[number]
        if agent in owners:
            return True
        if len(owners) >= stimulus.most_claims:
            return False
        owners.append(agent)
        return True

    def release(self, number: int, agent: int) -> None:
        """Give up a claim, so that another agent may have it; does nothing without a claim."""
        owners = self._claims.get(whole_number(number, "number", low=-1), [])
        if whole_number(agent, "agent") in owners:
            owners.remove(agent)

    def remove(self, number: int) -> None:
        """Remove a stimulus that has been investigated."""
        if self._posted.pop(whole_number(number, "number", low=-1), None) is None:
            raise QueryError(f"there is no stimulus {shown(number)} on the board; it may have expired")
        del self._claims[number]

    def expire(self, now: float) -> tuple[PostedStimulus, ...]:
        """Remove and return the expired stimuli."""
        moment = time_of(now)
        gone = tuple(stimulus for stimulus in self if not stimulus.lasts(moment))
        for stimulus in gone:
            self.remove(stimulus.number)
        return gone

    def offers(self, agents: Any, xyz: Any) -> Ids:
        """Return the number of the best stimulus for each agent (n,) at (n, 3), (n,) int32; -1 if none.

        Candidates are those within their radius that the agent has claimed or may claim. The highest priority comes
        first, then the nearest, then the oldest. Nothing is claimed.
        """
        places = points_xyz(xyz, "xyz")
        names = [whole_number(agent, "agents") for agent in things_of(agents, object, "agents")]
        if len(names) != len(places):
            raise InputError(f"there are {len(names)} agents and {len(places)} places; give one place for each")
        found = np.full(len(names), -1, np.int32)
        best = np.full((len(names), 2), (-1.0, np.inf))
        for stimulus in self:
            away = np.sqrt(((places - stimulus.xyz) ** 2).sum(axis=1))
            owners = self._claims[stimulus.number]
            free = len(owners) < stimulus.most_claims
            worth = stimulus.priority if stimulus.priority is not None else 0.0
            may = (away <= stimulus.radius) & np.array([free or name in owners for name in names], bool)
            better = may & ((worth > best[:, 0]) | ((worth == best[:, 0]) & (away < best[:, 1])))
            found[better] = stimulus.number
            best[better, 0], best[better, 1] = worth, away[better]
        return found
