"""What events are made of: the base class, the types of their fields, and the reasons they name."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import msgspec

Place = tuple[float, float, float]
"""Metres."""
Name = Annotated[str, msgspec.Meta(description="a name or an identifier")]
Quote = Annotated[str, msgspec.Meta(description="words of a rule file or of user code, as they are")]
Fact = bool | int | float | Quote | None
"""Value of a variable of rules; None: unknown."""
BlowKind = Literal["strike", "shoot", "blast"]


class CrewChange(StrEnum):
    """What happened to a crew."""

    FORMED = "formed"
    JOINED = "joined"
    LEFT = "left"
    ENDED = "ended"


class Departure(StrEnum):
    """Why a member left its crew, or why the crew ended."""

    OTHER_REQUEST = "other request"
    NO_REQUEST = "no request"
    LOST = "lost"
    DISBANDED = "disbanded"
    TOO_FEW = "too few"


class RoleLoss(StrEnum):
    """Why an agent lost its role."""

    UNWANTED = "unwanted"
    LEFT = "left"
    CREW_ENDED = "crew ended"
    ADMITTED = "admitted"
    RELEASED = "released"


class Miss(StrEnum):
    """Why an attack hit nothing."""

    OUT_OF_REACH = "out of reach"
    OUT_OF_SIGHT = "out of sight"
    WENT_WIDE = "went wide"


class SearchEnd(StrEnum):
    """Why a coordinated search ended, or one searcher gave up."""

    CALLED_OFF = "called off"
    NO_INVESTIGATOR = "no investigator is left"
    NO_SPOT = "no spot is left"
    NOTHING_FOUND = "nothing found"
    TARGET_FOUND = "target found"
    TIME_UP = "time is up"


class Event(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """Something that happened.

    Attributes
    ----------
    tick : number of the step.
    agent : number of the agent it happened to, -1 if it concerns none.
    """

    tick: int
    agent: int = -1

    @property
    def kind(self) -> str:
        """Name of the kind, as recordings store it."""
        return str(self.__struct_config__.tag)

    @property
    def partner(self) -> int:
        """Number of the other agent concerned, -1 if there is none."""
        return int(getattr(self, "other", -1))

    @property
    def place(self) -> Place | None:
        """Where it happened, or None."""
        return getattr(self, "at", None)


class Located(Event, frozen=True):
    """Base of events with a place."""

    at: Place | None = None


class Paired(Located, frozen=True):
    """Base of events with a place and another agent, `other`; -1 if there is none."""

    other: int = -1
