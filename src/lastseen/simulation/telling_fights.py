"""Telling of fights: many blows become one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from ..agents.events import Event
from .place_names import PlaceNames

__all__ = ["FightTeller"]

Said = tuple[int, int, str]


@dataclass
class _Fight:
    """What one deals another: since which step, until which, how, where, and how many blows hit and missed."""

    tick: int
    last: int
    what: str
    place: str
    hits: int = 0
    misses: int = 0


class FightTeller:
    """Gathers blows, and tells of a fight when it is over: after a pause in steps, when one goes down, at the end."""

    def __init__(self, names: tuple[str, ...], places: PlaceNames, pause: float):
        self._names, self._places, self._pause = names, places, pause
        self._fights: dict[tuple[int, int], _Fight] = {}

    def take(self, event: Event) -> list[Said]:
        """Take in an attack, a hit or a miss; return what is over by now."""
        pair = event.agent, event.other
        fight = self._fights.get(pair)
        said = []
        if fight is not None and event.tick - fight.last > self._pause:
            said, fight = self._told(pair), None
        if fight is None:
            place = "" if event.at is None else f" {self._places.at(event.at)}"
            fight = self._fights[pair] = _Fight(event.tick, event.tick, str(event.data.get("kind", "")), place)
        fight.last = event.tick
        fight.hits += event.kind == "hit"
        fight.misses += event.kind == "missed"
        return said

    def over(self, agent: int = -1) -> list[Said]:
        """Return what there is to tell of the fights of one who went down, or of all."""
        pairs = [pair for pair in self._fights if agent < 0 or agent in pair]
        return [said for pair in pairs for said in self._told(pair)]

    def _told(self, pair: tuple[int, int]) -> list[Said]:
        fight = self._fights.pop(pair)
        blows = fight.hits + fight.misses
        if not blows:
            return []
        other = self._names[pair[1]] if 0 <= pair[1] < len(self._names) else "somebody"
        what = f"{'shot' if fight.what == 'shoot' else 'blow'}{'' if blows == 1 else 's'}"
        return [(fight.tick, pair[0], f"fought {other}{fight.place}: {blows} {what}, {fight.hits} hit.")]
