"""Turn the events of a run into sentences, with one sentence for what lasts a while."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...conventions import Array
from ...simulation.world.place_names import PlaceNames, the
from ...vocabulary import events as kinds
from ...vocabulary.events import AnyEvent, Event
from ...vocabulary.words import AgentState, ObjectKind, SceneAct
from .crew_narration import BlowEvent, CrewEvent, CrewNarrator, FightNarrator
from .sentences import article, listed, scripted_words, thrown

FLICKER = 1.0
"""Seconds within which a target that is seen again does not count as lost."""
_PAUSE = 6.0
"""Seconds of silence after which a noise gets a new sentence."""
_ARRIVED = 1.5
"""Distance in metres at which an agent has reached the place it runs to."""
_STOPS = {
    "too_many": "the flood stopped because {place} is wide",
    "max_steps": "the flood reached its step limit",
    "no_cells": "the flood filled every cell it could reach",
    "running": "the flood goes on",
    "last_position": "that is where it was last seen",
    "own": "your own predictor chose it",
}


_SHELTERS = ("double_back", "escape", "flee", "hide", "panic", "refuge")
"""Queries by which agents run for cover."""


_USED: dict[tuple[str, ObjectKind | None], str] = {
    ("done", ObjectKind.ALARM): "rang {name}",
    ("done", ObjectKind.SWITCH): "switched the light in {detail} {side}",
    ("done", ObjectKind.ITEM): "took {name}",
    ("done", ObjectKind.BARRIER): "turned {name}, which then served {detail},",
    ("put", None): "put {name} down",
    ("breaks off", None): "broke off its use of {name}",
}
"""What an agent did with an object, by step and kind."""


def is_repetition(event: AnyEvent) -> bool:
    """Return whether the row of a script that caused an event says the same."""
    return isinstance(event, kinds.AttitudeChanged) and event.other < 0


@dataclass
class _Activity:
    """Something that lasts: a chase, a search, the investigation of a noise, or a repeated noise.

    `line` is the number of the sentence that is completed when it ends; -1: none yet.
    """

    tick: int
    what: str = ""
    goal: tuple[float, float, float] | None = None
    count: int = 0
    last: int = 0
    opened: list[str] = field(default_factory=list)
    line: int = -1


class Narrator:
    """Turns events into sentences.

    Parameters
    ----------
    step : length of a step in seconds.
    xyz : (steps, agents, 3) positions of all agents, in metres.
    """

    def __init__(self, step: float, places: PlaceNames, names: tuple[str, ...], xyz: Array):
        self._names, self._step, self._places, self._xyz = names, step, places, xyz
        self._said: list[tuple[int, int, str]] = []
        self._ending: list[tuple[int, int, str]] = []
        self._activities: dict[int, _Activity] = {}
        self._noises: dict[str, _Activity] = {}
        self._fights = FightNarrator(names, places, _PAUSE / step)
        self._crews = CrewNarrator(names, places)
        self._led: set[int] = set()
        self._left: set[tuple[int, str]] = set()
        self._narrate: dict[type[Event], Callable[[Any], None]] = {
            kinds.Sees: self._sees,
            kinds.Lost: lambda event: self._say(event, f"lost {self._other(event)} {self._at(event)}."),
            kinds.Predicted: self._flood,
            kinds.Searches: self._searches,
            kinds.Investigates: self._investigates,
            kinds.StateChanged: self._state,
            kinds.Heard: self._heard,
            kinds.PicksPlace: self._picks,
            kinds.Appeared: lambda event: self._say(event, f"appeared {self._at(event)}."),
            kinds.SceneActed: lambda event: self._say(event, f"{self._scene(event)}."),
            kinds.SetTrap: lambda event: self._say(event, f"set a trap {self._at(event)}."),
            kinds.TrapSprung: lambda event: self._say(
                event, f"ran into {'a trap' if event.number >= 0 else the(event.trap)} {self._at(event)}."
            ),
            kinds.ObjectUsed: self._used,
            kinds.AttitudeChanged: self._attitude,
            kinds.Hid: lambda event: self._say(event, f"hid in {_spot(event)}."),
            kinds.CameOut: lambda event: self._say(event, "came out of hiding."),
            kinds.Opened: self._opened,
            kinds.FoundHiding: lambda event: self._say(event, f"found {self._other(event)} in {_spot(event)}."),
            kinds.Found: self._found,
            kinds.AlarmRaised: lambda event: self._once(event, "called the others."),
            kinds.Missing: lambda event: self._say(event, f"missed a colleague {self._at(event)}."),
            kinds.Blinked: lambda event: self._say(event, f"blinked {self._to(event)}."),
            kinds.LeftDecoy: lambda event: self._say(event, f"left a decoy {self._at(event)}."),
            kinds.Travelled: lambda event: self._say(event, f"travelled to the state {event.state} {self._at(event)}."),
            kinds.SwarmActs: self._swarm,
            kinds.TimeStopped: lambda event: self._say(event, f"stopped time {self._at(event)}."),
            kinds.TimeResumed: lambda event: self._say(event, f"was {self._at(event)} when time went on."),
            kinds.Possessed: lambda event: self._say(event, f"took control of {self._other(event)} {self._at(event)}."),
            kinds.Released: lambda event: self._say(event, f"came out of {self._other(event)} {self._at(event)}."),
            kinds.CameTo: lambda event: self._say(event, "came to."),
            kinds.Threw: lambda event: self._say(event, f"threw {thrown(event)} {self._to(event)}."),
            kinds.Caught: lambda event: self._say(event, f"caught {self._other(event)} {self._at(event)}."),
            **dict.fromkeys((kinds.Attacks, kinds.Hit, kinds.Missed), self._blow),
            **dict.fromkeys((kinds.CrewChanged, kinds.RoleChanged, kinds.Talks, kinds.ShrugsOff), self._crew_event),
            kinds.Fell: self._fell,
            kinds.LineCrossed: lambda event: self._once(event, f"had {self._other(event)} in the line of fire."),
            kinds.Scripted: self._scripted,
            kinds.Placed: self._placed,
            kinds.TreeChanged: self._tree_changed,
            kinds.GivesUp: lambda event: self._close(event.agent, event.tick, "gave up"),
            kinds.StandsDown: lambda event: self._close(event.agent, event.tick, "stopped hunting"),
            kinds.SearchStarted: lambda event: self._say(
                event, f"a search began {self._at(event)}.", names_agent=False
            ),
            kinds.InvestigatorMissing: lambda event: self._say(event, "did not come back."),
            kinds.SearchOver: lambda event: self._say(event, "the search was over.", names_agent=False),
        }

    def _scene(self, event: kinds.SceneActed) -> str:
        words = {SceneAct.ARGUE: f"argued with {self._other(event)}", SceneAct.INSPECT: f"inspected {event.item}"}
        return words.get(event.act, f"gave {self._other(event)} {event.item}")

    def _picks(self, event: kinds.PicksPlace) -> None:
        if event.query in _SHELTERS:
            self._once(event, f"ran for cover {self._to(event)}.")

    def _used(self, event: kinds.ObjectUsed) -> None:
        """Add what an agent did with an object; of everyday work, only that it was broken off, and the rest of it."""
        use = event.agent, event.object
        if event.step == "breaks off":
            self._left.add(use)
        elif event.step == "done" and event.thing is ObjectKind.WORKBENCH and use in self._left:
            self._left.discard(use)
            self._say(event, f"did what was left at {event.object}.")
        if words := _USED.get((event.step, event.thing)) or _USED.get((event.step, None)):
            side = "on" if event.is_on else "off"
            self._say(event, f"{words.format(name=event.object, detail=event.detail, side=side)} {self._at(event)}.")

    def _found(self, event: kinds.Found) -> None:
        what = {"theft": f"noticed that {event.name} was gone", "dark zone": "noticed that the light was off"}
        self._once(event, f"{what.get(event.thing, f'found {article(event.thing)}')} {self._at(event)}.")

    def take(self, event: AnyEvent) -> None:
        """Add the next event; some kinds have no sentence."""
        if type(event) in self._narrate:
            self._narrate[type(event)](event)

    def finish(self, tick: int) -> None:
        """Complete the sentences about everything that is still going on at the end."""
        for agent in sorted(self._activities):
            self._close(agent, tick, "")
        for kind in list(self._noises):
            self._finish_noise(kind)
        self._said += self._fights.over()

    def end(self, tick: int, reason: str, text: str) -> None:
        """Add a last sentence about how the run ended, without repeating the sentence before it."""
        is_told = any(said[0] == tick and said[2].split()[0] == reason for said in self._said)
        how = f"{reason}: {text}" if text and text != reason and not is_told else reason
        self._ending = [(tick, -1, f"it ended after {(tick + 1) * self._step:.1f} s, {how}.")]

    def sentences(self) -> Iterable[tuple[int, int, str]]:
        """Return step, agent and text of all sentences in order of time; noises before the reactions to them."""
        return [*sorted(self._said, key=lambda said: (said[0], said[1] >= 0)), *self._ending]

    def _say(self, event: Event, words: str, *, names_agent: bool = True) -> None:
        self._said.append((event.tick, event.agent if names_agent else -1, words))

    def _once(self, event: Event, words: str) -> None:
        """Add a sentence unless the agent had one that begins with the same word a moment ago."""
        recent = [said for said in self._said if said[1] == event.agent and said[2].split()[0] == words.split()[0]]
        if not recent or (event.tick - recent[-1][0]) * self._step > _PAUSE:
            self._say(event, words)

    def _name(self, agent: int) -> str:
        return self._names[agent] if 0 <= agent < len(self._names) else "someone"

    def _other(self, event: Event) -> str:
        return self._name(event.partner)

    def _at(self, event: Event) -> str:
        return "somewhere" if event.place is None else self._places.at(event.place)

    def _to(self, event: Event) -> str:
        return "somewhere" if event.place is None else self._places.to(event.place)

    def _sees(self, event: kinds.Sees) -> None:
        again = any(agent == event.agent and words.startswith("lost") for _, agent, words in self._said)
        activity = self._activities.get(event.agent)
        if activity is not None and activity.what != "search":
            del self._activities[event.agent]
        self._close(event.agent, event.tick, "")
        self._say(event, f"saw {self._other(event)} {'again ' if again else ''}{self._at(event)}.")

    def _flood(self, event: kinds.Predicted) -> None:
        activity = self._activities.get(event.agent)
        if event.reason == "running" and activity is not None and activity.what == "chase" and not event.stimulus:
            return  # one sentence for a flood over time
        self._close(event.agent, event.tick, "")
        self._activities[event.agent] = _Activity(event.tick, "chase", event.at)
        place = (event.at and self._places.zone(event.at)) or "the place"
        because = _STOPS.get(event.reason, event.reason.replace("_", " ")).format(place=place)
        self._activities[event.agent].line = len(self._said)
        after = f" after {article(event.stimulus)}" if event.stimulus else ""
        self._say(event, f"headed {self._to(event)}{after}" + (f": {because}." if because else "."))

    def _searches(self, event: kinds.Searches) -> None:
        activity = self._activities.get(event.agent)
        if activity is None or activity.what != "search":
            self._close(event.agent, event.tick, "")
            activity = self._activities[event.agent] = _Activity(event.tick, "search")
        activity.count += 1

    def _investigates(self, event: kinds.Investigates) -> None:
        activity = self._activities.get(event.agent)
        kind = event.stimulus
        if activity is None or activity.what != kind:
            self._close(event.agent, event.tick, "")
            self._once(event, f"went to look into {article(kind)} {self._at(event)}.")
        self._activities[event.agent] = _Activity(event.tick, kind, event.at)

    def _placed(self, event: kinds.Placed) -> None:
        """Add where an agent was moved by hand; of several moves in one step the last counts."""
        moved = f"the user moved {self._names[event.agent]} "
        sentence = (event.tick, -1, f"{moved}{self._to(event)}.")
        for line, (tick, _, words) in enumerate(self._said):
            if tick == event.tick and words.startswith(moved):
                self._said[line] = sentence
                return
        self._said.append(sentence)

    def _tree_changed(self, event: kinds.TreeChanged) -> None:
        names = ", ".join(self._names[agent] for agent in event.agents[:3])
        more = f" and {len(event.agents) - 3} more" if len(event.agents) > 3 else ""
        self._say(event, f"the user edited the tree {event.brain}: {names}{more} started again.", names_agent=False)

    def _opened(self, event: kinds.Opened) -> None:
        activity = self._activities.get(event.agent)
        place = _spot(event)
        if activity is None:
            self._say(event, f"opened {place}.")
        elif place not in activity.opened:
            activity.opened.append(place)

    def _state(self, event: kinds.StateChanged) -> None:
        old, new = event.before, event.state
        if event.is_told:  # its crew changed its state; it noticed nothing itself
            self._led.add(event.agent)
            return
        led = event.agent in self._led
        self._led.discard(event.agent)
        if new in (AgentState.PATROL, AgentState.RETURN) and old in (
            AgentState.SEARCH,
            AgentState.CHASE,
            AgentState.SUSPICIOUS,
        ):
            if event.agent in self._activities:
                self._close(event.agent, event.tick, "gave up")
            elif old == AgentState.SUSPICIOUS and not led:
                self._once(event, "thought nothing of it.")
        elif old == AgentState.CHASE and new == AgentState.SEARCH:
            self._close(event.agent, event.tick, "")
        elif (
            new == AgentState.SUSPICIOUS
            and old in (AgentState.PATROL, AgentState.RETURN)
            and event.agent not in self._activities
        ):
            self._once(event, "noticed something.")

    def _close(self, agent: int, tick: int, outcome: str) -> None:
        """Add how a chase, a search or an investigation ended."""
        activity = self._activities.pop(agent, None)
        if activity is None:
            return
        seconds = (tick - activity.tick) * self._step
        if activity.what == "search":
            words = f"searched {seconds:.0f} s, {activity.count} place{'' if activity.count == 1 else 's'}"
            words += f", opened {listed(activity.opened)}" if activity.opened else ""
        else:
            there = activity.goal is not None and math.dist(self._xyz[tick, agent], activity.goal) <= _ARRIVED
            words = "looked around, found nothing" if there else ""
            if there and activity.line >= 0:
                start, _, sentence = self._said[activity.line]
                ran = f"ran {self._walked(agent, start, tick):.0f} m"
                self._said[activity.line] = (start, agent, sentence.replace("headed", ran, 1))
        ended = ", ".join(part for part in (words, outcome) if part)
        if ended and seconds >= FLICKER:
            self._said.append((tick, agent, f"{ended}."))

    def _walked(self, agent: int, first: int, last: int) -> float:
        """Return the metres an agent walked between two steps."""
        return float(np.linalg.norm(np.diff(self._xyz[first : last + 1, agent], axis=0), axis=1).sum())

    def _heard(self, event: kinds.Heard) -> None:
        kind = event.sound
        if kind == "shout":  # the alarm has its own sentence
            return
        noise = self._noises.get(kind)
        if noise is not None and (event.tick - noise.last) * self._step > _PAUSE:
            self._finish_noise(kind)
            noise = None
        if noise is None:
            noise = self._noises[kind] = _Activity(event.tick, kind, event.at)
        noise.count, noise.last = noise.count + 1, event.tick

    def _crew_event(self, event: CrewEvent) -> None:
        self._said += self._crews.take(event)

    def _blow(self, event: BlowEvent) -> None:
        self._said += self._fights.take(event)

    def _scripted(self, event: kinds.Scripted) -> None:
        self._say(event, f"the script: {scripted_words(event, self._name)}.", names_agent=False)

    def _attitude(self, event: kinds.AttitudeChanged) -> None:
        if not is_repetition(event):
            self._say(event, f"{event.team} and {event.toward} became {event.attitude}.", names_agent=False)

    def _swarm(self, event: kinds.SwarmActs) -> None:
        if event.step == "fells":
            self._close(event.agent, event.tick, "")
        words = {"attacks": "was attacked by", "lets off": "was let off by", "fells": "went down in"}[event.step]
        self._say(event, f"{words} the swarm {event.swarm} {self._at(event)}.")

    def _fell(self, event: kinds.Fell) -> None:
        self._said += self._fights.over(event.agent)
        self._close(event.agent, event.tick, "")
        self._say(event, f"went down {self._at(event)}, beaten by {self._other(event)}.")

    def _finish_noise(self, kind: str) -> None:
        noise = self._noises.pop(kind)
        place = "" if noise.goal is None else f" {self._places.at(noise.goal)}"
        if noise.count == 1:
            words = f"{article(kind)} was heard{place}."
        else:
            seconds = max(1.0, (noise.last - noise.tick) * self._step)
            words = f"{noise.count} {kind}s were heard within {seconds:.0f} s, the first{place or ' somewhere'}."
        self._said.append((noise.tick, -1, words))


def _spot(event: kinds.Hid | kinds.Opened | kinds.FoundHiding) -> str:
    """Return the name of a hiding place with its article."""
    return the(event.spot or "a hiding place")
