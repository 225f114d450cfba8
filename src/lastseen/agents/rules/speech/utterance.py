"""Requests to speak, utterances, and the settings of speech."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....checks import finite_number, shown, text_of, whole_number
from ....errors import InputError
from ....vocabulary.events import NearMiss
from ..engine.explanation import Failure
from ..language.rule import RuleCondition


@dataclass(frozen=True)
class Bark:
    """A reason to say something.

    Attributes
    ----------
    facts : facts of this occasion, by path; they take precedence over all others.
    handler : name of a handler, or common prefix of several; default `<side>.barks`.
    about : the subject, a speaker that may be asked to answer as "subject".
    urgency : higher urgency interrupts; others keep silent.
    patience : seconds it may wait for silence; it is dropped if its speaker says something else first.
    """

    speaker: Hashable
    facts: Mapping[str, Any] = field(default_factory=dict)
    handler: str = ""
    about: Hashable = None
    urgency: int = 0
    patience: float = 0.0

    def __post_init__(self) -> None:
        if type(self.facts) is not dict and not isinstance(self.facts, Mapping):
            raise InputError(f"the facts of a bark are {shown(self.facts)}; give a mapping by path")
        # Dozens of barks may come in one step: what is as usual is not passed on to be looked at closely.
        if self.handler.__class__ is not str:
            text_of(self.handler, "handler")
        if self.urgency.__class__ is not int or self.urgency < -1000:
            whole_number(self.urgency, "urgency", low=-1000)
        if self.patience.__class__ is not float or not 0.0 <= self.patience <= 600.0:
            finite_number(self.patience, "patience", unit="s", low=0.0, high=600.0)
        try:
            hash((self.speaker, self.about))
        except TypeError:
            raise InputError(f"speaker is {shown(self.speaker)}; give a name or a number") from None


@dataclass(frozen=True)
class Utterance:
    """A line said, or an action executed, by a rule, and why.

    Attributes
    ----------
    text : what is heard; empty if it is a deed, or the action is not text.
    action : as given in the rule.
    rule, handler, source : names of the rule and its handler; file and line of the rule.
    facts : the variables read, with their values.
    misses : rules that did not fire, skipped ones first, then the last to fail, each with its conditions.
    begun, until : seconds.
    to : the speaker being answered, or None.
    turn : number of the line in its exchange, from 1; `exchange` is the number of the exchange.
    interrupts : speakers it cut short.
    asked : name under which handlers were combined; `handler` is the one that contains the rule.
    line_id, tags : the id of the line, empty if it has none, and its tags: the name of a recording, a mood.
    is_deed : something to do (`do`) instead of something to say.
    """

    speaker: Hashable
    text: str
    action: Any
    rule: str
    handler: str
    source: str
    facts: Mapping[str, Any]
    misses: tuple[NearMiss, ...]
    begun: float
    until: float
    tier: int = 0
    to: Hashable = None
    turn: int = 1
    exchange: int = 0
    interrupts: tuple[Hashable, ...] = ()
    asked: str = ""
    line_id: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    is_deed: bool = False

    @property
    def seconds(self) -> float:
        """Duration of the line in seconds."""
        return self.until - self.begun

    @property
    def near(self) -> tuple[tuple[str, str], ...]:
        """The rules that did not fire, each with its reason in words."""
        return tuple((one.rule, miss_words(one)) for one in self.misses)


def miss_words(miss: NearMiss) -> str:
    """Return in words why a rule did not fire."""
    failures = (Failure(RuleCondition(one.variable, one.operator, one.constant), one.value) for one in miss.failed)
    return miss.refused or "; ".join(map(str, failures))


@dataclass(frozen=True)
class SpeechSettings:
    """Settings of speech. The values are our own, as the sources give only `most_lines`.

    Attributes
    ----------
    earshot : distance in metres within which speakers hear one another, keep silent and answer.
    pause : seconds of silence after a speaker's own line, unless something more urgent comes up.
    twin_seconds, twin_metres : time and distance within which no speaker repeats another's line.
    most_at_once : barks evaluated in one call of `bark_many`; the rest stay silent, or wait.
    most_lines : lines of an exchange: two or three in chapter 2 of Game AI Pro 2; also ends cyclic follow-ups.
    patience : seconds an answer waits for silence before it is dropped.
    least_seconds, letters : minimum duration of a line, and letters spoken per second.
    near_misses : number of rules that did not fire reported with each line.
    """

    earshot: float = 15.0
    pause: float = 1.5
    twin_seconds: float = 20.0
    twin_metres: float = 30.0
    most_at_once: int = 8
    most_lines: int = 3
    patience: float = 4.0
    least_seconds: float = 0.8
    letters: float = 16.0
    near_misses: int = 5

    def __post_init__(self) -> None:
        for name in ("earshot", "pause", "twin_seconds", "twin_metres", "patience", "least_seconds"):
            object.__setattr__(self, name, finite_number(getattr(self, name), name, low=0.0, high=1e6))
        object.__setattr__(self, "letters", finite_number(self.letters, "letters", low=1.0, high=1e6))
        whole_number(self.most_at_once, "most_at_once", low=1)
        whole_number(self.most_lines, "most_lines", low=1)
        whole_number(self.near_misses, "near_misses")

    def seconds_of(self, text: str) -> float:
        """Return the duration of a line in seconds."""
        return max(self.least_seconds, 0.3 + len(text) / self.letters) if text else 0.0
