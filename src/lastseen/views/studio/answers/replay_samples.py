"""Sample accounts of agents and surveyed layers once a second for a replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from ....conventions import Array
from ..panels.agent import account_answer
from ..protocol.greeting import LayerKind
from ..protocol.layers import RECORDED, layer_kinds, packed_values
from ..session.game import Game
from .survey import Floods, Survey, frame_to_survey

_EVERY_SECONDS = 1.0
_MOST_LISTED = 12
"""Longer lists of numbers behind a decision are left out: they are cells of floods, which events already hold."""


def accounts_of(game: Game, first: int, last: int, tell: Callable[[float], None]) -> list[list[dict[str, Any]]]:
    """Return the accounts of each agent in order of time, as the page shows them.

    Their trees, and those of their crews, are given as [status, reason] per node: the greeting holds the lines. Times
    start at step `first`.
    """
    states = np.asarray(game.recording.column("state"))[first : last + 1]
    regular = set(range(first, last + 1, max(1, round(_EVERY_SECONDS / game.recording.about.step))))
    found: list[list[dict[str, Any]]] = [[] for _ in range(states.shape[1])]
    # Iterate by step, not by agent: neighbours in time are unpacked together.
    changed = np.zeros(states.shape, np.bool_)
    changed[1:] = states[1:] != states[:-1]
    for tick in range(first, last + 1):
        if (tick - first) % 30 == 0:
            tell((tick - first) / (last - first + 1))
        for agent, accounts in enumerate(found):
            if tick in regular or changed[tick - first, agent]:
                accounts.append(_short(msgspec.to_builtins(account_answer(game, agent, tick)), first))
    return found


def _short(account: dict[str, Any], first: int) -> dict[str, Any]:
    kept = {name: value for name, value in account.items() if name not in ("type", "tree", "before", "decision")}
    kept["tick"] -= first
    kept["seconds"] = round(kept["tick"] * account["step"], 3)
    kept["tree"] = [[node["status"], node["reason"]] for node in account["tree"]]
    if account["duty"] is not None:
        nodes = [[node["status"], node["reason"]] for node in account["duty"]["tree"]]
        kept["duty"] = account["duty"] | {"tree": nodes}
        if account["duty"]["since"] is not None:
            kept["duty"]["since"] = round(account["duty"]["since"] - first * account["step"], 3)
    kept["before"] = [_event(event, first) for event in account["before"]]
    kept["decision"] = None if account["decision"] is None else _decision(account["decision"], first)
    return kept


def _event(event: dict[str, Any], first: int) -> dict[str, Any]:
    kept: dict[str, Any] = {name: event[name] for name in ("kind", "agent", "other", "text") if name in event}
    return kept | {"tick": event["tick"] - first}


def _decision(event: dict[str, Any], first: int) -> dict[str, Any]:
    kept = {name: one for name, one in event.items() if not isinstance(one, list | tuple) or len(one) <= _MOST_LISTED}
    return kept | {"tick": event["tick"] - first}


MOST_BYTES = 32 * 1024 * 1024
"""Maximum bytes of all surveys before compression; a page has to unpack them."""
_SECONDS = 1.0
"""Seconds between two surveys, if there is room."""


def offered_kinds(game: Game) -> tuple[LayerKind, ...]:
    """Return the layers of a replay: the recorded ones, then the surveyed ones with anything to show."""
    kinds = layer_kinds(game.stage)
    return (*RECORDED, *(kind for kind in kinds[len(RECORDED) :] if kind.is_offered))


def surveyed_steps(game: Game, first: int, last: int, kinds: tuple[LayerKind, ...]) -> range:
    """Return the steps that are surveyed: evenly spaced from the first on, 1, 2, 4, 8 … seconds apart."""
    size = max(1, len(game.stage.layout) * (len(kinds) - len(RECORDED)))
    stride = max(1, round(_SECONDS / game.recording.about.step))
    while len(range(first, last + 1, stride)) * size > MOST_BYTES and stride <= last - first:
        stride *= 2
    return range(first, last + 1, stride)


def surveys_of(game: Game, steps: range, kinds: tuple[LayerKind, ...], tell: Callable[[float], None]) -> Array:
    """Return the values of surveyed layers at some steps, (steps, layers, cells) int8 as sent to pages.

    `tell` is called with the share that is done.
    """
    surveyed = kinds[len(RECORDED) :]
    notes = game.recording.about.notes
    survey = Survey(game.stage, *(np.array(notes[name], np.int32) for name in ("watchers", "targets")))
    found = np.zeros((len(steps), len(surveyed), len(game.stage.layout)), np.int8)
    floods = Floods()
    for number, tick in enumerate(steps):
        tell(number / len(steps))
        game.seek(tick)
        frame = frame_to_survey(game, floods)
        for at, kind in enumerate(surveyed):
            found[number, at] = packed_values(kind, survey.values(kind.name, frame))
    return found
