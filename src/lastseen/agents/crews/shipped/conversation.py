"""Conversations and other scenes: steps in turn, grouped in blocks; after an interruption a block starts again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ....rng import generator
from ....vocabulary.events import SceneActed, Talks
from ....vocabulary.words import SceneAct, SceneBreak, SceneResumption
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, SUCCESS, Status
from ...brains.mind import Place
from ...brains.surroundings import Scene, SceneStep
from ...limits import Count, Timespan
from ..crew_mind import CrewMind
from ..roles.vocabulary import RoleWords
from .society import intruder_seen, members_called, members_calm

TALKS = ("biscuits", "lights", "promotion")
"""Topics of the shipped lines."""
BLOCK = 2
"""Lines per block of a conversation."""
_THERE, _LATE = 1.2, 10.0
"""Metres within which an actor is where its step takes place, and seconds after which the step ends anyway."""
_AN_ARM = 0.9
"""Metres between two agents of which one gives something to the other."""


@dataclass
class Talk:
    """One conversation of a crew, or another scene it plays.

    Attributes
    ----------
    topic : a topic for which the rules have lines, or the name of the scene.
    lines : number of lines.
    speakers : members in speaking order.
    turn, since : number of the current line, from 1 (0: not started), and the time in seconds at which it began.
    heard : number of minor disturbances ignored.
    scene : the scene, whose steps are the lines; None: a conversation.
    """

    topic: str
    lines: int
    speakers: tuple[int, ...]
    turn: int = 0
    since: float = 0.0
    heard: int = 0
    scene: Scene | None = None

    @property
    def step(self) -> SceneStep | None:
        """The current step of a scene; None in a conversation."""
        return None if self.scene is None else self.scene.steps[max(self.turn, 1) - 1]

    @property
    def speaker(self) -> int:
        """The speaker of the current line, or the actor of the current step."""
        step = self.step
        return self.speakers[step.who if step is not None else (max(self.turn, 1) - 1) % len(self.speakers)]


def talk_of(mind: CrewMind) -> Talk | None:
    """Return the conversation of a crew, or None if it has not begun."""
    talk = mind.blackboard.get("talk")
    return talk if isinstance(talk, Talk) else None


class TalkOn(Leaf):
    """Let members speak in turn; start a conversation if there is none, or the scene that the objective names.

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
            scene = mind.world.teamwork.scenes.get(mind.crew.objective)
            if scene is not None:
                talk = Talk(scene.name, len(scene.steps), scene.cast, scene=scene)
            mind.blackboard["talk"] = talk
            _report(mind, talk, resumed=False)
        gone = [one for one in talk.speakers if one not in mind.members]
        if gone:
            self.reason = f"{mind.name_of(gone[0])} is gone"
            return FAILURE
        if talk.turn == 0 or self._is_done(mind, talk):
            if not _acted(mind, talk):
                self.reason = f"{mind.name_of(talk.speaker)} no longer has {talk.step.item if talk.step else 'it'}"
                return FAILURE
            if talk.turn >= talk.lines:
                self.reason = "all is said"
                return FAILURE
            talk.turn, talk.since = talk.turn + 1, mind.time
        word = "line" if talk.scene is None else "step"
        self.reason = f"{talk.topic}: {word} {talk.turn} of {talk.lines}, {mind.name_of(talk.speaker)}"
        if talk.step is not None:
            self.reason += f": {talk.step.do}"
        return SUCCESS

    def _is_done(self, mind: CrewMind, talk: Talk) -> bool:
        """Return whether the current line has lasted its time, and its actor is where it takes place."""
        spent, step = mind.time - talk.since, talk.step
        if step is None:
            return spent >= self.seconds
        place = _stage(mind, talk, step)
        there = place is None or math.dist(place, mind.place_of(talk.speaker)) <= _THERE
        return spent >= (step.seconds if there else step.seconds + _LATE)


def _stage(mind: CrewMind, talk: Talk, step: SceneStep) -> Place | None:
    """Return where a step takes place; None: anywhere.

    That is its own place; else near the agent that something is given to, or where the object lies that is inspected.
    """
    objects = mind.world.objects
    if step.do is SceneAct.INSPECT and step.place is None and objects is not None:
        number = objects.number(step.item)
        return objects.slots(number)[0] if number >= 0 and objects.carrier[number] == -1 else None
    if step.do is not SceneAct.GIVE:
        return step.place
    (x, y, z), (ax, ay, _) = mind.place_of(talk.speakers[step.to]), mind.place_of(talk.speaker)
    away = max(math.hypot(ax - x, ay - y), 1e-9)
    return (x + (ax - x) * _AN_ARM / away, y + (ay - y) * _AN_ARM / away, z)


def _acted(mind: CrewMind, talk: Talk) -> bool:
    """Report what the actor of the step that ends has done besides speaking, and hand over what it gives.

    Return False if it should give an object that it does not carry.
    """
    step, world = talk.step, mind.world
    if talk.turn == 0 or step is None or step.do is SceneAct.TALK or talk.since < 0.0:
        return True
    other = talk.speakers[step.to] if step.to >= 0 else -1
    actor, objects = talk.speaker, world.objects
    is_object = step.do is SceneAct.GIVE and objects is not None and objects.number(step.item) >= 0
    if is_object and objects is not None and not objects.hand_over(step.item, actor, other):
        return False
    at = mind.place_of(actor)
    world.happened(SceneActed(world.tick, actor, at=at, other=other, scene=talk.topic, act=step.do, item=step.item))
    return True


class TakeUpTalk(Leaf):
    """Return the conversation to the start of its current block; FAILURE if it is a scene that never resumes."""

    kind = "take_up_talk"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: CrewMind) -> Status:
        """Go back to the start of the block."""
        talk = talk_of(mind)
        if talk is not None and talk.scene is not None and talk.scene.resume is SceneResumption.NEVER:
            self.reason = f"{talk.topic} is not taken up again"
            return FAILURE
        if talk is not None and talk.turn > 0:
            talk.turn = (talk.turn - 1) // BLOCK * BLOCK if talk.scene is None else talk.scene.start_of(talk.turn)
            talk.since = -1e9  # The next line is due at once.
            word = "line" if talk.scene is None else "step"
            self.reason = f"{talk.topic}: again from {word} {talk.turn + 1}"
            _report(mind, talk, resumed=True)
        return SUCCESS


def add_conversation(words: RoleWords) -> None:
    """Add words for conversations."""
    words.crew(talk_is_over)
    words.crew(has_talked)
    words.crew(ignores_first)
    words.crew(noise_counts)
    words.crew(scene_breaks_off)
    words.crew(scene_ends)
    words.member(speaks_now, most=1)
    words.value(_topic, name="topic")
    words.value(_turn, name="turn")
    words.value(_other, name="other_speaker")
    words.value(_line, name="line")
    words.value(_watch, name="scene_place")


def has_talked(mind: CrewMind) -> tuple[bool, str]:
    """Return whether the conversation has begun."""
    talk = talk_of(mind)
    return talk is not None, "talk" if talk is not None else "have not begun"


def ignores_first(mind: CrewMind) -> tuple[bool, str]:
    """Return whether the first minor disturbance is only remarked on: of a scene that says so, and of all talks."""
    talk = talk_of(mind)
    held = talk is None or talk.scene is None or talk.scene.ignores_first
    return held, "ignores the first noise" if held else "breaks off at any noise"


def noise_counts(mind: CrewMind) -> tuple[bool, str]:
    """Return whether a minor noise breaks off the scene, or ends it; it does so with all conversations."""
    breaks, ends = _breaks(mind)
    counts = SceneBreak.NOISE in (*breaks, *ends)
    return counts, "a noise counts" if counts else "goes on at any noise"


def scene_breaks_off(mind: CrewMind) -> tuple[bool, str]:
    """Return whether anything but a minor noise breaks off the scene now."""
    return _holds(mind, tuple(one for one in _breaks(mind)[0] if one != SceneBreak.NOISE))


def scene_ends(mind: CrewMind) -> tuple[bool, str]:
    """Return whether anything ends the scene now; a conversation ends when a member sees an intruder."""
    return _holds(mind, _breaks(mind)[1])


def _breaks(mind: CrewMind) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what breaks off and what ends the scene, or any conversation."""
    talk = talk_of(mind)
    scene = mind.world.teamwork.scenes.get(mind.crew.objective) if talk is None else talk.scene
    if scene is None:
        return (SceneBreak.NOISE, SceneBreak.ALARM), (SceneBreak.INTRUDER,)
    return scene.breaks_off, scene.ends


def _holds(mind: CrewMind, wanted: tuple[str, ...]) -> tuple[bool, str]:
    """Return whether any of these conditions holds now, and which."""
    scene = mind.world.teamwork.scenes.get(mind.crew.objective)
    for one in wanted:
        if one == SceneBreak.NOISE:
            held, why = members_called(mind, nature="distraction")
        elif one == SceneBreak.ALARM:
            calm, why = members_calm(mind)
            held = not calm
        elif one == SceneBreak.INTRUDER:
            held, why = intruder_seen(mind)
        else:
            held, why = scene is not None and scene.facts[one](), one
        if held:
            return True, why
    return False, "nothing interrupts"


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
    if talk is None:
        return ""
    return talk.topic if talk.scene is None else None  # rules have no lines for the steps of a scene


def _turn(mind: CrewMind, member: int, xyz: Place | None) -> Any:  # noqa: ARG001
    talk = talk_of(mind)
    return 0 if talk is None else talk.turn


def _other(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    """Return the position of the speaker; for the speaker itself, that of the next one."""
    talk = talk_of(mind)
    if talk is None:
        return mind.place_of(mind.crew.leader)
    step = talk.step
    if step is not None and talk.speaker == member and step.place is not None:
        return step.place
    if step is not None and talk.speaker == member and step.to >= 0:
        return mind.place_of(talk.speakers[step.to])
    if talk.speaker != member:
        return mind.place_of(talk.speaker)
    return mind.place_of(next((one for one in talk.speakers if one != member), member))


def _line(mind: CrewMind, member: int, xyz: Place | None) -> str | None:  # noqa: ARG001
    """Return the words of the current step, perhaps none; None in a conversation, whose lines come from the rules."""
    talk = talk_of(mind)
    return None if talk is None or talk.step is None else talk.step.say


def _watch(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    """Return where the current step takes place if the member acts in it, else where it stands."""
    talk, here = talk_of(mind), mind.stay_of(member)
    if talk is None or talk.step is None or talk.speaker != member:
        return here
    return _stage(mind, talk, talk.step) or here


def _report(mind: CrewMind, talk: Talk, *, resumed: bool) -> None:
    world, leader = mind.world, mind.crew.leader
    is_scene = talk.scene is not None
    world.happened(
        Talks(world.tick, leader, speakers=talk.speakers, topic=talk.topic, resumed=resumed, is_scene=is_scene)
    )
