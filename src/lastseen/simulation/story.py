"""What happened? A recording as plain sentences, each with its moment."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..agents.events import Event
from ..conventions import Array
from ..errors import LevelError
from ..level.level import Level
from ..level.readers.geojson import read
from .place_names import PlaceNames
from .recording.recording import Recording

__all__ = ["Sentence", "level_of", "story_of"]

FLICKER = 1.0
"""Seconds: whoever is lost and seen again within them was not lost."""
_PAUSE = 6.0
"""Seconds of silence after which a noise is told anew."""
_ARRIVED = 1.5
"""Metres from where one runs to within which one has come there."""
_STOPS = {
    "too_many": "the flood stopped because {place} is wide",
    "max_steps": "the flood ran to its last step",
    "no_cells": "the flood filled all there is",
    "last_position": "that is where it was last seen",
}


@dataclass(frozen=True)
class Sentence:
    """One sentence: of which moment, about whom (empty: nobody), in words."""

    tick: int
    seconds: float
    agent: str
    text: str


@dataclass
class _Deed:
    """Something that takes a while: a run, a search, a look at a noise; or a noise that goes on."""

    tick: int
    what: str = ""
    goal: tuple[float, float, float] | None = None
    count: int = 0
    last: int = 0
    opened: list[str] = field(default_factory=list)


def level_of(recording: Recording) -> Level | None:
    """Return the level a recording was made in; None where it does not hold one that can be read."""
    try:
        return read(recording.about.level.encode(), recording.source)
    except LevelError:
        return None


def story_of(recording: Recording, *, first: int = 0, last: int | None = None) -> tuple[Sentence, ...]:
    """Tell what happened from step `first` up to and with step `last`.

    Noise is merged: thirty footsteps are one sentence, a search is one sentence at its end, doors and lines said go
    untold. A sentence that goes on about the same agent as the one before leaves out its name.
    """
    until = len(recording) - 1 if last is None else last
    teller = _Teller(recording)
    for event in _steady(list(recording.events(first, until)), recording.about.step):
        teller.take(event)
    teller.finish(until)
    if recording.end is not None and until >= len(recording) - 1:
        teller.end(until, recording.end.reason, recording.end.text)
    return tuple(teller.sentences())


def _steady(events: list[Event], step: float) -> Iterable[Event]:
    """Leave out losses that are over in a moment, with what was planned because of them."""
    dropped: set[int] = set()
    lost: dict[tuple[int, int], int] = {}
    for number, event in enumerate(events):
        pair = (event.agent, event.other)
        if event.kind == "lost":
            lost[pair] = number
        elif event.kind == "sees" and pair in lost:
            since = lost.pop(pair)
            if (event.tick - events[since].tick) * step < FLICKER:
                dropped |= {since, number}
                dropped |= {
                    between
                    for between in range(since, number)
                    if events[between].agent == event.agent and events[between].kind in ("flood", "searches", "state")
                }
    return (event for number, event in enumerate(events) if number not in dropped)


class _Teller:
    """Turns events into sentences, one after another."""

    def __init__(self, recording: Recording):
        self._names, self._step = recording.about.agents, recording.about.step
        self._places = PlaceNames(level_of(recording))
        self._xyz: Array = recording.column("xyz")
        self._said: list[tuple[int, int, str]] = []
        self._deeds: dict[int, _Deed] = {}
        self._noises: dict[str, _Deed] = {}
        self._tell: dict[str, Callable[[Event], None]] = {
            "sees": self._sees,
            "lost": lambda event: self._say(event, f"lost {self._other(event)} {self._at(event)}."),
            "flood": self._flood,
            "searches": self._searches,
            "investigates": self._investigates,
            "state": self._state,
            "heard": self._heard,
            "runs to": lambda event: self._once(event, f"ran for cover {self._to(event)}."),
            "hid": lambda event: self._say(event, f"hid {self._at(event)}."),
            "came out": lambda event: self._say(event, "came out of hiding."),
            "opened": self._opened,
            "found hiding": lambda event: self._say(event, f"found {self._other(event)} hiding {self._at(event)}."),
            "found": lambda event: self._once(event, f"found {_a(event.data.get('kind', 'thing'))} {self._at(event)}."),
            "alarm": lambda event: self._once(event, "called the others."),
            "missing": lambda event: self._say(event, f"missed a colleague {self._at(event)}."),
            "threw": lambda event: self._say(event, f"threw something {self._to(event)}."),
            "caught": lambda event: self._say(event, f"caught {self._other(event)} {self._at(event)}."),
            "script": lambda event: self._say(event, f"the script: {event.text}.", nobody=True),
            "search over": lambda event: self._say(event, "the search was over.", nobody=True),
        }

    def take(self, event: Event) -> None:
        """Take in the next event; kinds nobody wants to read of are passed over."""
        if event.kind in self._tell:
            self._tell[event.kind](event)

    def finish(self, tick: int) -> None:
        """Tell what still goes on at the end."""
        for agent in sorted(self._deeds):
            self._close(agent, tick, "")
        for kind in list(self._noises):
            self._tell_noise(kind)

    def end(self, tick: int, reason: str, text: str) -> None:
        """Tell how it ended, in a sentence of its own."""
        self._said.append((tick, -1, f"it ended after {(tick + 1) * self._step:.1f} s: {_ended(reason, text)}."))

    def sentences(self) -> Iterable[Sentence]:
        """Yield what was told, in order of time, names left out where they would be said twice."""
        before = -1
        for tick, agent, words in sorted(self._said, key=lambda said: said[0]):
            goes_on = agent == before and agent >= 0
            text = words if goes_on or agent < 0 else f"{self._names[agent]} {words}"
            yield Sentence(
                tick, tick * self._step, self._names[agent] if agent >= 0 else "", text[0].upper() + text[1:]
            )
            before = agent

    def _say(self, event: Event, words: str, *, nobody: bool = False) -> None:
        self._said.append((event.tick, -1 if nobody else event.agent, words))

    def _once(self, event: Event, words: str) -> None:
        """Say it, unless the same was said of the same agent a moment ago."""
        recent = [said for said in self._said if said[1] == event.agent and said[2].split()[0] == words.split()[0]]
        if not recent or (event.tick - recent[-1][0]) * self._step > _PAUSE:
            self._say(event, words)

    def _other(self, event: Event) -> str:
        return self._names[event.other] if 0 <= event.other < len(self._names) else "somebody"

    def _at(self, event: Event) -> str:
        return "somewhere" if event.at is None else self._places.at(event.at)

    def _to(self, event: Event) -> str:
        return "somewhere" if event.at is None else self._places.to(event.at)

    def _sees(self, event: Event) -> None:
        again = any(agent == event.agent and words.startswith("lost") for _, agent, words in self._said)
        self._close(event.agent, event.tick, "")
        self._say(event, f"saw {self._other(event)} {'again ' if again else ''}{self._at(event)}.")

    def _flood(self, event: Event) -> None:
        self._close(event.agent, event.tick, "")
        self._deeds[event.agent] = _Deed(event.tick, "chase", event.at)
        place = (event.at and self._places.zone(event.at)) or "the place"
        reason = str(event.data.get("reason", ""))
        because = _STOPS.get(reason, reason.replace("_", " ")).format(place=place)
        metres = 0.0 if event.at is None else math.dist(self._xyz[event.tick, event.agent], event.at)
        self._say(event, f"ran {metres:.0f} m {self._to(event)}" + (f": {because}." if because else "."))

    def _searches(self, event: Event) -> None:
        deed = self._deeds.get(event.agent)
        if deed is None or deed.what != "search":
            self._close(event.agent, event.tick, "")
            deed = self._deeds[event.agent] = _Deed(event.tick, "search")
        deed.count += 1

    def _investigates(self, event: Event) -> None:
        deed = self._deeds.get(event.agent)
        kind = str(event.data.get("kind", "noise"))
        if deed is None or deed.what != kind:
            self._close(event.agent, event.tick, "")
            self._once(event, f"went to look into {_a(kind)} {self._at(event)}.")
        self._deeds[event.agent] = _Deed(event.tick, kind, event.at)

    def _opened(self, event: Event) -> None:
        deed = self._deeds.get(event.agent)
        place = event.text.split(" opened ")[-1]
        if deed is None:
            self._say(event, f"opened {place}.")
        elif place not in deed.opened:
            deed.opened.append(place)

    def _state(self, event: Event) -> None:
        old, new = event.data.get("from"), event.data.get("to")
        if new in ("patrol", "return") and old in ("search", "chase", "suspicious"):
            if event.agent in self._deeds:
                self._close(event.agent, event.tick, "gave up")
            elif old == "suspicious":
                self._once(event, "thought nothing of it.")
        elif old == "chase" and new == "search":
            self._close(event.agent, event.tick, "")
        elif new == "suspicious" and old in ("patrol", "return"):
            self._once(event, "noticed something.")

    def _close(self, agent: int, tick: int, outcome: str) -> None:
        """Tell how a run, a search or a look ended."""
        deed = self._deeds.pop(agent, None)
        if deed is None:
            return
        seconds = (tick - deed.tick) * self._step
        if deed.what == "search":
            words = f"searched {seconds:.0f} s, {deed.count} place{'' if deed.count == 1 else 's'}"
            words += f", opened {_and(deed.opened)}" if deed.opened else ""
        else:
            there = deed.goal is not None and math.dist(self._xyz[tick, agent], deed.goal) <= _ARRIVED
            words = "looked round, found nothing" if there else "broke off" if outcome or deed.what == "chase" else ""
        if words and seconds >= FLICKER:
            self._said.append((tick, agent, f"{words}{f', {outcome}' if outcome else ''}."))

    def _heard(self, event: Event) -> None:
        kind = event.text.removeprefix("a ").removesuffix(" is heard")
        noise = self._noises.get(kind)
        if noise is not None and (event.tick - noise.last) * self._step > _PAUSE:
            self._tell_noise(kind)
            noise = None
        if noise is None:
            noise = self._noises[kind] = _Deed(event.tick, kind, event.at)
        noise.count, noise.last = noise.count + 1, event.tick

    def _tell_noise(self, kind: str) -> None:
        noise = self._noises.pop(kind)
        place = "" if noise.goal is None else f" {self._places.at(noise.goal)}"
        if noise.count == 1:
            words = f"{_a(kind)} was heard{place}."
        else:
            seconds = max(1.0, (noise.last - noise.tick) * self._step)
            words = f"{kind}s were heard{place} and on, {noise.count} in {seconds:.0f} s."
        self._said.append((noise.tick, -1, words))


def _a(thing: str) -> str:
    return f"{'an' if thing[:1] in 'aeiou' else 'a'} {thing}"


def _and(things: list[str]) -> str:
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def _ended(reason: str, text: str) -> str:
    return f"{reason}, {text}" if text and text != reason else reason
