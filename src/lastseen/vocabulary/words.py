"""Words as enums: each is the text that files and recordings store."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Word(StrEnum):
    """A word that equals its text; tables store its number, in order of definition."""

    @property
    def number(self) -> int:
        """Its number in tables."""
        return list(type(self)).index(self)

    @classmethod
    def texts(cls) -> tuple[str, ...]:
        """Return the texts of all words, in order of their numbers."""
        return tuple(word.value for word in cls)


class AgentState(Word):
    """What an agent is doing; set by its tree."""

    PATROL = "patrol"
    SUSPICIOUS = "suspicious"
    ENGAGE = "engage"
    CHASE = "chase"
    SEARCH = "search"
    RETURN = "return"
    FLEE = "flee"
    RUN = "run"
    HIDDEN = "hidden"
    DOWN = "down"


GUARD_STATES = (
    AgentState.PATROL, AgentState.SUSPICIOUS, AgentState.ENGAGE, AgentState.CHASE, AgentState.SEARCH, AgentState.RETURN,
)  # fmt: skip
"""The states of guards, from calm to alert and back."""


class AlertLevel(IntEnum):
    """How alert an observer is; vision models see more in higher levels."""

    CALM = 0
    SUSPICIOUS = 1
    COMBAT = 2


class AgentMode(Word):
    """Whether an agent is active, in a hiding place, down (and can be found), or gone from the world."""

    ACTIVE = "active"
    HIDDEN = "hidden"
    DOWN = "down"
    GONE = "gone"


class Attitude(Word):
    """The attitude of a team to another: enemies, ignored until they attack, or friends."""

    HOSTILE = "hostile"
    NEUTRAL = "neutral"
    ALLIED = "allied"


class Trespass(Word):
    """What guards do about an agent in a restricted zone: nothing, warn it, escort it out, attack it."""

    FREE = "free"
    WARNED = "warned"
    ESCORTED = "escorted"
    WANTED = "wanted"


class SceneAct(Word):
    """What an agent does in a step of a scene, besides speaking."""

    TALK = "talk"
    ARGUE = "argue"
    GIVE = "give"
    INSPECT = "inspect"


class SceneResumption(Word):
    """From where an interrupted scene goes on: the block it was in, the start, or not at all."""

    BLOCK = "block"
    START = "start"
    NEVER = "never"


class SceneBreak(Word):
    """What breaks off or ends a scene: a minor noise, an agent of it that is no longer calm, an intruder in sight."""

    NOISE = "noise"
    ALARM = "alarm"
    INTRUDER = "intruder"


class TrapEffect(Word):
    """What a trap does to the agent that springs it: fells it, holds it for a while, or only makes its sound."""

    FELL = "fell"
    SNARE = "snare"
    NOISE = "noise"


class Release(Word):
    """Why an agent no longer has control of another."""

    ITSELF = "it let go"
    TIME = "its time was over"
    HOST_DOWN = "its host went down"


class Hold(Word):
    """What keeps an agent from acting by itself."""

    NONE = "nothing"
    STANDSTILL = "standstill"
    DAZED = "dazed"
    POSSESSED = "possessed"


class EndReason(Word):
    """Why a run ended; all but the last three can be chosen in a scenario."""

    CAUGHT = "caught"
    ESCAPED = "escaped"
    BEATEN = "beaten"
    FOUND = "found"
    ALL_CALM = "all calm"
    TIME_OVER = "time over"
    BRAIN_FAILED = "brain failed"
    STOPPED = "stopped"


class FloodStop(Word):
    """State of a chase's flood: running, or why it stopped."""

    RUNNING = "running"
    NO_CELLS = "no_cells"
    TOO_MANY = "too_many"
    MAX_STEPS = "max_steps"


class Blow(Word):
    """The attack an agent is making."""

    NONE = ""
    STRIKES = "strikes"
    AIMS = "aims"


class SpotState(Word):
    """The state of a spot in a coordinated search."""

    UNSEARCHED = "unsearched"
    IN_PROGRESS = "in progress"
    SEARCHED = "searched"


class MarkerKind(Word):
    """Kinds of markers with a feature of their own in GeoJSON; a level may name others."""

    MARKER = "marker"
    EXIT = "exit"
    GOAL = "goal"
    SOUND = "sound"
    ITEM = "item"
    CAMERA = "camera"


GOAL_MARKERS = (MarkerKind.GOAL, MarkerKind.EXIT, "end")
"""Kinds of markers that mark a goal of players; "end" comes from other tools."""


class ObjectKind(Word):
    """Kinds of objects that agents use."""

    ALARM = "alarm"
    WORKBENCH = "workbench"
    LOCKER = "locker"
    SWITCH = "switch"
    ITEM = "item"
    BARRIER = "barrier"


class ZoneKind(Word):
    """Kinds of zones; a level may name others."""

    ZONE = "zone"
    EXIT = "exit"
    RESTRICTED = "restricted"
    SAFE = "safe"


class SpawnKind(Word):
    """Agents that a level may spawn; it may name others."""

    GUARD = "guard"
    PLAYER = "player"
    CIVILIAN = "civilian"
