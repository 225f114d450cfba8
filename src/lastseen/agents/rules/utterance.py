"""What is asked of speech, what is said, and how people speak."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...checks import finite_number, shown, text_of, whole_number
from ...errors import InputError

__all__ = ["Bark", "SpeechSettings", "Utterance"]


@dataclass(frozen=True)
class Bark:
    """A reason to say something.

    Attributes
    ----------
    facts : of this occasion, by path: what happened, to whom; they go before all others.
    handler : name of a handler, or the beginning of several names; left out: `<side>.barks`.
    about : the speaker it is about, who may be asked to answer as "subject".
    urgency : who has more to say interrupts, the others keep silent.
    patience : seconds it may wait for silence; it is dropped if its speaker says something else before.
    """

    speaker: Hashable
    facts: Mapping[str, Any] = field(default_factory=dict)
    handler: str = ""
    about: Hashable = None
    urgency: int = 0
    patience: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.facts, Mapping):
            raise InputError(f"the facts of a bark are {shown(self.facts)}; give values by path")
        text_of(self.handler, "handler")
        whole_number(self.urgency, "urgency", low=-1000)
        finite_number(self.patience, "patience", unit="s", low=0.0, high=600.0)
        try:
            hash((self.speaker, self.about))
        except TypeError:
            raise InputError(f"speaker is {shown(self.speaker)}; give a name or a number") from None


@dataclass(frozen=True)
class Utterance:
    """Something said, or done by a rule, and why.

    Attributes
    ----------
    text : what is heard; empty where the action is no text.
    action : as the rule has it.
    rule, handler, source : names of both; file and line of the rule.
    facts : the variables that were looked at, with their values.
    near : rules that did not fire, in the order they were passed over or failed last, each with its reason.
    begun, until : seconds.
    to : whose line it answers; None: nobody's.
    turn : number of the line in its exchange, from 1; `exchange` numbers exchanges.
    interrupts : those who were cut short by it.
    asked : under which name handlers were asked; `handler` is the one of them the rule stands in.
    """

    speaker: Hashable
    text: str
    action: Any
    rule: str
    handler: str
    source: str
    facts: Mapping[str, Any]
    near: tuple[tuple[str, str], ...]
    begun: float
    until: float
    tier: int = 0
    to: Hashable = None
    turn: int = 1
    exchange: int = 0
    interrupts: tuple[Hashable, ...] = ()
    asked: str = ""

    @property
    def seconds(self) -> float:
        """How long it takes to say."""
        return self.until - self.begun


@dataclass(frozen=True)
class SpeechSettings:
    """How people speak. Ours: the sources give no values but those of `most_lines`.

    Attributes
    ----------
    earshot : metres within which one hears another, keeps silent for it and answers it.
    pause : seconds one keeps silent after a line of one's own, unless something more urgent comes up.
    twin_seconds, twin_metres : so long, and so near, nobody says what another has just said.
    most_at_once : barks for which rules are looked up in one call of `bark_many`; the rest keep silent, or wait.
    most_lines : lines of an exchange: two or three in chapter 2 of Game AI Pro 2; follow-ups that go round end here.
    patience : seconds an answer waits for silence before it is dropped.
    least_seconds, letters : a line takes so long at least, and so many letters are said in a second.
    near_misses : rules told with each line that did not fire.
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
        """How long does it take to say this?"""
        return max(self.least_seconds, 0.3 + len(text) / self.letters) if text else 0.0
