"""Telling of crews: who came together for what, who gave orders, went to look, held a way out, talked."""

from __future__ import annotations

from ..agents.events import Event
from .place_names import PlaceNames

__all__ = ["CrewTeller"]

_FOR = {
    "search": "to search",
    "body": "round one of their own who was found lying",
    "pair": "to look into something",
    "missing": "to look for one who did not answer",
    "talk": "to talk",
    "fight": "against {other}",
    "chase": "after {other}",
    "ambush": "to lie in wait",
}
_ROLES = {
    ("search", "hold"): "went to hold a way out {at}.",
    ("body", "hold"): "went to hold a way out {at}.",
    ("search", "comb"): "left its post to search.",
    ("search", "observe"): "looked on from {at}.",
    ("body", "orders"): "gave orders.",
    ("body", "debrief"): "asked the others what they had found.",
    ("pair", "investigate"): "said that it would look.",
    ("pair", "cover"): "covered the other one.",
    ("talk", "investigate"): "said that it would look.",
    ("talk", "cover"): "covered the other one.",
    ("missing", "ask"): "asked by radio.",
    ("missing", "look"): "went to where the missing one was last heard of.",
}
"""What is told of roles, by objective; of all others nothing is."""


class CrewTeller:
    """Turns events of crews into sentences: step, agent and words."""

    def __init__(self, names: tuple[str, ...], places: PlaceNames):
        self._names, self._places = names, places
        self._told: set[tuple[int, int, str]] = set()

    def take(self, event: Event) -> list[tuple[int, int, str]]:
        """Return what there is to tell of an event; mostly nothing."""
        words = {"crew": self._crew, "role": self._role, "talk": _talk, "shrugs off": _shrug}[event.kind](event)
        # What one does again in the same crew is not told again.
        key = (int(event.data.get("crew", event.tick)), event.agent, words)
        if not words or key in self._told:
            return []
        self._told.add(key)
        nobody = event.kind in ("crew", "talk")
        return [(event.tick, -1 if nobody else event.agent, words)]

    def _crew(self, event: Event) -> str:
        if event.data.get("what") != "formed":
            return ""
        members = [self._names[number] for number in event.data.get("members", ()) if number < len(self._names)]
        objective = str(event.data.get("objective", ""))
        other = self._names[event.other] if 0 <= event.other < len(self._names) else "somebody"
        what = _FOR.get(objective, f"for {objective}").format(other=other)
        return f"{', '.join(members[:-1])} and {members[-1]} came together {what}." if len(members) > 1 else ""

    def _role(self, event: Event) -> str:
        words = _ROLES.get((str(event.data.get("objective")), str(event.data.get("given"))), "")
        if "{at}" not in words:
            return words
        place = event.data.get("values", {}).get("watch") or event.at
        at = "somewhere" if place is None else self._places.at(tuple(place))
        return words.format(at=at).replace("from at ", "from ")


def _talk(event: Event) -> str:
    return f"{event.text.replace(' begin to talk', ' began to talk').replace(' go on talking', ' went on talking')}."


def _shrug(event: Event) -> str:
    return f"thought nothing of {'an' if str(event.data.get('kind'))[:1] in 'aeiou' else 'a'} {event.data.get('kind')}."
