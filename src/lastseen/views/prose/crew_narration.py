"""Sentences about crews and fights."""

from __future__ import annotations

from dataclasses import dataclass

from ...simulation.world.place_names import PlaceNames
from ...vocabulary.events import Attacks, CrewChange, CrewChanged, Hit, Missed, RoleChanged, ShrugsOff, Talks
from .sentences import article, listed

CrewEvent = CrewChanged | RoleChanged | Talks | ShrugsOff
BlowEvent = Attacks | Hit | Missed

_FOR = {
    "search": "to search",
    "body": "around a fallen colleague",
    "pair": "to investigate",
    "missing": "to look for a colleague who did not answer",
    "talk": "to talk",
    "fight": "against {other}",
    "chase": "after {other}",
    "ambush": "to lie in wait",
}
_ROLES = {
    ("search", "hold"): "went to guard an exit {at}.",
    ("body", "hold"): "went to guard an exit {at}.",
    ("search", "comb"): "left its post to search.",
    ("search", "observe"): "watched from {at}.",
    ("body", "orders"): "gave orders.",
    ("body", "debrief"): "asked the others what they had found.",
    ("pair", "investigate"): "offered to investigate.",
    ("pair", "cover"): "covered its partner.",
    ("talk", "investigate"): "offered to investigate.",
    ("talk", "cover"): "covered its partner.",
    ("missing", "ask"): "asked by radio.",
    ("missing", "look"): "went to where the missing colleague was last heard.",
}
"""Sentences about roles, by objective; other roles get none."""


class CrewNarrator:
    """Turns events of crews into sentences: step, agent and text."""

    def __init__(self, names: tuple[str, ...], places: PlaceNames):
        self._names, self._places = names, places
        self._done: set[tuple[int, int, str]] = set()

    def take(self, event: CrewEvent) -> list[tuple[int, int, str]]:
        """Return the sentences about an event; most events have none."""
        words = self._words(event)
        # A member that does the same again in the same crew gets no second sentence.
        crew = event.tick if isinstance(event, Talks) else event.crew
        key = (crew, event.agent, words)
        if not words or key in self._done:
            return []
        self._done.add(key)
        names_all = isinstance(event, CrewChanged | Talks)
        return [(event.tick, -1 if names_all else event.agent, words)]

    def _words(self, event: CrewEvent) -> str:
        match event:
            case CrewChanged():
                return self._crew(event)
            case RoleChanged():
                return self._role(event)
            case Talks():
                words = "went on talking about" if event.resumed else "began to talk about"
                if event.is_scene:
                    words = "took up the scene" if event.resumed else "began the scene"
                return f"{listed([self._names[one] for one in event.speakers])} {words} {event.topic}."
            case ShrugsOff():
                return f"thought nothing of {article(event.stimulus)}."

    def _crew(self, event: CrewChanged) -> str:
        if event.change is not CrewChange.FORMED:
            return ""
        members = [self._names[number] for number in event.members if number < len(self._names)]
        other = self._names[event.other] if 0 <= event.other < len(self._names) else "someone"
        what = _FOR.get(event.objective, f"for {event.objective}").format(other=other)
        return f"{listed(members)} formed a crew {what}." if len(members) > 1 else ""

    def _role(self, event: RoleChanged) -> str:
        words = _ROLES.get((event.objective, event.role), "")
        if "{at}" not in words:
            return words
        place = event.watch or event.at
        at = "somewhere" if place is None else self._places.at(place)
        return words.format(at=at).replace("from at ", "from ")


Sentence = tuple[int, int, str]
"""Step, agent (-1: none) and text."""


@dataclass
class _Fight:
    """Blows of one agent against another: first and last step, kind, place, and how many hit and missed."""

    tick: int
    last: int
    what: str
    place: str
    hits: int = 0
    misses: int = 0


_BLOWS = {"shoot": "shot", "strike": "blow", "blast": "blast"}


class FightNarrator:
    """Combines blows into one sentence per fight once it is over: after a pause, when an agent falls, or at the end."""

    def __init__(self, names: tuple[str, ...], places: PlaceNames, pause: float):
        self._names, self._places, self._pause = names, places, pause
        self._fights: dict[tuple[int, int], _Fight] = {}

    def take(self, event: BlowEvent) -> list[Sentence]:
        """Add an attack, a hit or a miss; return sentences about fights that are over by now."""
        pair = event.agent, event.other
        fight = self._fights.get(pair)
        sentences = []
        if fight is not None and event.tick - fight.last > self._pause:
            sentences, fight = self._finished(pair), None
        if fight is None:
            place = "" if event.at is None else f" {self._places.at(event.at)}"
            fight = self._fights[pair] = _Fight(event.tick, event.tick, event.blow, place)
        fight.last = event.tick
        fight.hits += isinstance(event, Hit)
        fight.misses += isinstance(event, Missed)
        return sentences

    def over(self, agent: int = -1) -> list[Sentence]:
        """Return the sentences about the fights of an agent that went down, or about all fights."""
        pairs = [pair for pair in self._fights if agent < 0 or agent in pair]
        return [sentence for pair in pairs for sentence in self._finished(pair)]

    def _finished(self, pair: tuple[int, int]) -> list[Sentence]:
        fight = self._fights.pop(pair)
        blows = fight.hits + fight.misses
        if not blows:
            return []
        other = self._names[pair[1]] if 0 <= pair[1] < len(self._names) else "someone"
        what = f"{_BLOWS[fight.what]}{'' if blows == 1 else 's'}"
        return [(fight.tick, pair[0], f"fought {other}{fight.place}: {blows} {what}, {fight.hits} hit.")]
