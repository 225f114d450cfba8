"""Conversations: lines in turn, in blocks; one that was interrupted is taken up at the beginning of its block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...rng import generator
from ..behaviour.leaf import Leaf
from ..behaviour.status import FAILURE, SUCCESS, Status
from ..brains.mind import Place
from ..limits import Count, Spell
from .crew_mind import CrewMind
from .words import RoleWords

__all__ = ["TALKS", "TakeUpTalk", "Talk", "TalkOn", "add_conversation", "talk_of"]

TALKS = ("biscuits", "lights", "promotion")
"""Topics of the ready lines."""
BLOCK = 2
"""Lines of a block."""


@dataclass
class Talk:
    """One conversation of a crew.

    Attributes
    ----------
    topic : of which; one of those the rules have lines for.
    lines : how many it has.
    speakers : members in their turn.
    turn, since : which line is said now, from 1; seconds since when. 0: none yet.
    heard : small things that were let be.
    """

    topic: str
    lines: int
    speakers: tuple[int, ...]
    turn: int = 0
    since: float = 0.0
    heard: int = 0

    @property
    def speaker(self) -> int:
        """Who says the present line."""
        return self.speakers[(max(self.turn, 1) - 1) % len(self.speakers)]


def talk_of(mind: CrewMind) -> Talk | None:
    """Return the conversation of a crew; None: it has not begun."""
    talk = mind.blackboard.get("talk")
    return talk if isinstance(talk, Talk) else None


class TalkOn(Leaf):
    """Lets members say one line after another; begins the conversation where there is none.

    | the conversation                    | status  |
    |-------------------------------------|---------|
    | goes on                             | SUCCESS |
    | is over: its last line has been said | FAILURE |
    | has lost one of its speakers        | FAILURE |

    `seconds` for each line, `lines` in all. The topic is drawn, unless it is given.
    """

    kind = "talk_on"

    def __init__(self, *, seconds: Spell = 3.5, lines: Count = 6, topic: str = "", name: str = ""):
        self.seconds, self.lines, self.topic, self.name = seconds, lines, topic, name

    def tick(self, mind: CrewMind) -> Status:
        """Go on to the next line when it is time."""
        talk = talk_of(mind)
        if talk is None:
            drawn = int(generator(mind.world.seed, f"talk of crew {mind.crew.number}").integers(len(TALKS)))
            others = tuple(member for member in mind.members if member != mind.crew.leader)
            talk = Talk(self.topic or TALKS[drawn], self.lines, (mind.crew.leader, *others))
            mind.blackboard["talk"] = talk
            mind.tell("talk", f"{_names(mind, talk)} begin to talk of {talk.topic}", data={"topic": talk.topic})
        gone = [one for one in talk.speakers if one not in mind.members]
        if gone:
            self.reason = f"{mind.name_of(gone[0])} is gone"
            return FAILURE
        if talk.turn == 0 or mind.time - talk.since >= self.seconds:
            if talk.turn >= talk.lines:
                self.reason = "all is said"
                return FAILURE
            talk.turn, talk.since = talk.turn + 1, mind.time
        self.reason = f"{talk.topic}: line {talk.turn} of {talk.lines}, {mind.name_of(talk.speaker)}"
        return SUCCESS


class TakeUpTalk(Leaf):
    """Takes the conversation back to the beginning of the block it was in; always SUCCESS."""

    kind = "take_up_talk"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: CrewMind) -> Status:
        """Go back."""
        talk = talk_of(mind)
        if talk is not None and talk.turn > 0:
            talk.turn = (talk.turn - 1) // BLOCK * BLOCK
            talk.since = -1e9  # the next line is due at once
            self.reason = f"{talk.topic}: again from line {talk.turn + 1}"
            mind.tell("talk", f"{_names(mind, talk)} go on talking of {talk.topic}", data={"topic": talk.topic})
        return SUCCESS


def add_conversation(words: RoleWords) -> None:
    """Add words for conversations."""
    words.crew(talk_is_over)
    words.crew(has_talked)
    words.member(speaks_now, most=1)
    words.value(_topic, name="topic")
    words.value(_turn, name="turn")
    words.value(_other, name="other_speaker")


def has_talked(mind: CrewMind) -> tuple[bool, str]:
    """Have they begun to talk?"""
    talk = talk_of(mind)
    return talk is not None, "talk" if talk is not None else "have not begun"


def talk_is_over(mind: CrewMind) -> tuple[bool, str]:
    """Has one of those who talked gone?"""
    talk = talk_of(mind)
    gone = [] if talk is None else [one for one in talk.speakers if one not in mind.members]
    return bool(gone), f"{mind.name_of(gone[0])} is gone" if gone else "all are there"


def speaks_now(mind: CrewMind, member: int) -> tuple[bool, str]:
    """Is it its turn in the conversation?"""
    talk = talk_of(mind)
    held = talk is not None and talk.speaker == member
    return held, "its turn" if held else "listens"


def _topic(mind: CrewMind, member: int, xyz: Place | None) -> Any:  # noqa: ARG001
    talk = talk_of(mind)
    return "" if talk is None else talk.topic


def _turn(mind: CrewMind, member: int, xyz: Place | None) -> Any:  # noqa: ARG001
    talk = talk_of(mind)
    return 0 if talk is None else talk.turn


def _other(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    """Where who speaks is; for the speaker the next one."""
    talk = talk_of(mind)
    if talk is None:
        return mind.place_of(mind.crew.leader)
    if talk.speaker != member:
        return mind.place_of(talk.speaker)
    return mind.place_of(next((one for one in talk.speakers if one != member), member))


def _names(mind: CrewMind, talk: Talk) -> str:
    names = [mind.name_of(one) for one in talk.speakers]
    return f"{', '.join(names[:-1])} and {names[-1]}"
