"""A small grammar that turns plain routes into livelier ones, with pauses and detours (after Xu).

Rules are separated by `;` and replace a stop of a route with some chance, such as

    stop -> stop wait 2 : 0.3; stop -> stop away wait 1 stop : 0.2

`stop` is the place itself, `away` a place next to it, `wait` a number of seconds at the place before it. A guard comes
back from wherever it goes, so a rule begins and ends at the stop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...checks import text_of
from ...errors import InputError, did_you_mean

GRAMMARS = {"plain": "", "lively": "stop -> stop wait 2 : 0.3; stop -> stop away wait 1 stop : 0.2"}
"""Grammars by name."""
_WORDS = ("stop", "away", "wait")
_LONGEST_WAIT = 3600.0
_MOST_STOPS = 200
"""Maximum number of stops of a route that rules may still lengthen."""


class Stop(NamedTuple):
    """A place of a route by its number, and the seconds a guard waits there."""

    place: int
    wait: float = 0.0


@dataclass(frozen=True)
class Rule:
    """What replaces a stop, and the chance of it: places ("stop" or "away"), each with the seconds to wait there."""

    steps: tuple[tuple[str, float], ...]
    chance: float


def parse_grammar(text: Any) -> tuple[Rule, ...]:
    """Return the rules of a grammar, given as text or by name; raise InputError that names the faulty rule."""
    given = text_of(text, "grammar").strip()
    if given and "->" not in given and given not in GRAMMARS:
        raise InputError(
            f"grammar is {given[:60]!r}{did_you_mean(given, GRAMMARS)}; give {' or '.join(GRAMMARS)}, or rules such as "
            f"{GRAMMARS['lively']!r}"
        )
    rules = [part for part in GRAMMARS.get(given, given).replace("\n", ";").split(";") if part.strip()]
    return tuple(_rule(number + 1, part.strip()) for number, part in enumerate(rules))


def _rule(number: int, text: str) -> Rule:
    def fault(what: str) -> InputError:
        return InputError(f"rule {number} of the grammar, {text[:60]!r}: {what}, as in 'stop -> stop wait 2 : 0.3'")

    head, arrow, rest = text.partition("->")
    body, colon, chance = rest.rpartition(":")
    if head.strip() != "stop" or not arrow or not colon:
        raise fault("write stop, an arrow, what replaces it, a colon and the chance")
    words, steps = body.split(), list[tuple[str, float]]()
    while words:
        word = words.pop(0)
        if word == "wait":
            seconds = _number(words.pop(0) if words else "")
            if not steps or not 0.0 < seconds <= _LONGEST_WAIT:
                raise fault(f"wait needs a place before it and seconds after it, up to {_LONGEST_WAIT:g}")
            steps[-1] = (steps[-1][0], steps[-1][1] + seconds)
        elif word in _WORDS:
            steps.append((word, 0.0))
        else:
            raise fault(f"{word[:40]!r} is unknown{did_you_mean(word, _WORDS)}; use {', '.join(_WORDS)}")
    places = [place for place, _ in steps]
    if not places or places[0] != "stop" or places[-1] != "stop" or ("away", "away") in pairwise(places):
        raise fault("begin and end with stop, and come back to it after each away")
    if not 0.0 < _number(chance) <= 1.0:
        raise fault("the chance must be more than 0 and at most 1")
    return Rule(tuple(steps), _number(chance))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def rewrite(
    stops: list[Stop],
    rules: tuple[Rule, ...],
    rounds: int,
    random: np.random.Generator,
    away: Callable[[int, float], int | None],
) -> list[Stop]:
    """Return a route rewritten some rounds: in each, the first rule whose chance comes up replaces a stop.

    Parameters
    ----------
    away : returns a place next to a place, given a random number 0 … 1, or None if there is none within the cost limit;
        then the stop stays as it is.
    """
    for _ in range(rounds if rules else 0):
        new = list[Stop]()
        for stop in stops:
            chances = random.random(len(rules))
            rule = next((rule for rule, drawn in zip(rules, chances.tolist()) if drawn < rule.chance), None)
            longer = rule is not None and len(new) + len(stops) < _MOST_STOPS
            new += _replaced(stop, rule, random, away) if rule is not None and longer else [stop]
        stops = new
    return stops


def _replaced(
    stop: Stop, rule: Rule, random: np.random.Generator, away: Callable[[int, float], int | None]
) -> list[Stop]:
    found = list[Stop]()
    for word, wait in rule.steps:
        place = stop.place if word == "stop" else away(stop.place, float(random.random()))
        if place is None:
            return [stop]
        found.append(Stop(place, wait))
    return [found[0]._replace(wait=min(_LONGEST_WAIT, found[0].wait + stop.wait)), *found[1:]]
