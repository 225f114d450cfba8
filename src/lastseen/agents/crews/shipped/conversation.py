"""Conversations: lines in turn, grouped in blocks; an interrupted conversation resumes at the start of its block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....rng import generator
from ....vocabulary.events import Talks
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, SUCCESS, Status
from ...brains.mind import Place
from ...limits import Count, Timespan
from ..crew_mind import CrewMind
from ..roles.vocabulary import RoleWords

TALKS = ("biscuits", "lights", "promotion")
"""Topics of the shipped lines."""
BLOCK = 2
"""Lines per block."""


@dataclass
class Talk:
    """One conversation of a crew.

    Attributes
    ----------
    topic : a topic for which the rules have lines.
    lines : number of lines.
    speakers : members in speaking order.
    turn, since : number of the current line, from 1 (0: not started), and the time in seconds at which it began.
    heard : number of minor disturbances ignored.
    """

    topic: str
    lines: int
    speakers: tuple[int, ...]
    turn: int = 0
    since: float = 0.0
    heard: int = 0

    @property
    def speaker(self) -> int:
        """The speaker of the current line."""
        return self.speakers[(max(self.turn, 1) - 1) % len(self.speakers)]


def talk_of(mind: CrewMind) -> Talk | None:
    """Return the conversation of a crew, or None if it has not begun."""
    talk = mind.blackboard.get("talk")
    return talk if isinstance(talk, Talk) else None


class TalkOn(Leaf):
    """Let members speak in turn; start a conversation if there is none.

    | the conversation                    | status  |
    |-------------------------------------|---------|
    | continues                           | SUCCESS |
    | is over: its last line has been said | FAILURE |
    | has lost one of its speakers        | FAILURE |

    Each line takes `seconds`; there are `lines` in all. The topic is random unless given.
    """

    kind = "talk_on"

    def __init__(self, *, seconds: Timespan = 3.5, lines: Count = 6, topic: str = "", name: str = ""):
        self.seconds, self.lines, self.topic, self.name = seconds, lines, topic, name

    def tick(self, mind: CrewMind) -> Status:
        """Advance to the next line when it is due."""
        talk = talk_of(mind)
        if talk is None:
            drawn = int(generator(mind.world.cast.seed, f"talk of crew {mind.crew.number}").integers(len(TALKS)))
            others = tuple(member for member in mind.members if member != mind.crew.leader)
            talk = Talk(self.topic or TALKS[drawn], self.lines, (mind.crew.leader, *others))
            mind.blackboard["talk"] = talk
            _report(mind, talk, resumed=False)
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
    """Return the conversation to the start of its current block; always SUCCESS."""

    kind = "take_up_talk"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: CrewMind) -> Status:
        """Go back to the start of the block."""
        talk = talk_of(mind)
        if talk is not None and talk.turn > 0:
            talk.turn = (talk.turn - 1) // BLOCK * BLOCK
            talk.since = -1e9  # The next line is due at once.
            self.reason = f"{talk.topic}: again from line {talk.turn + 1}"
            _report(mind, talk, resumed=True)
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
    """Return whether the conversation has begun."""
    talk = talk_of(mind)
    return talk is not None, "talk" if talk is not None else "have not begun"


def talk_is_over(mind: CrewMind) -> tuple[bool, str]:
    """Return whether one of the speakers has left."""
    talk = talk_of(mind)
    gone = [] if talk is None else [one for one in talk.speakers if one not in mind.members]
    return bool(gone), f"{mind.name_of(gone[0])} is gone" if gone else "all are there"


def speaks_now(mind: CrewMind, member: int) -> tuple[bool, str]:
    """Return whether it is the member's turn to speak."""
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
    """Return the position of the speaker; for the speaker itself, that of the next one."""
    talk = talk_of(mind)
    if talk is None:
        return mind.place_of(mind.crew.leader)
    if talk.speaker != member:
        return mind.place_of(talk.speaker)
    return mind.place_of(next((one for one in talk.speakers if one != member), member))


def _report(mind: CrewMind, talk: Talk, *, resumed: bool) -> None:
    world, leader = mind.world, mind.crew.leader
    world.happened(Talks(world.tick, leader, speakers=talk.speakers, topic=talk.topic, resumed=resumed))
