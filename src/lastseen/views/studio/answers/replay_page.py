"""A stretch of a run as one block of data, and as one HTML file that shows it without a server.

Bytes, little-endian, all compressed with zlib::

    u32 length of the head, head (padded to 4), parts (each padded to 4)
    head     JSON: hello, events, story, crews, accounts, mesh, solid, ticks; `parts`: offset and bytes of each
    fixed    frames up to their layers: what changed (exclusive or) since the frame before, all first bytes first
    rest     the rest of each frame: layers as changes, in every third the views and paths of agents
    lengths  u32, bytes of each frame in `rest`
    keys     a frame with whole layers for each `every` steps, their bytes as u32 in `key_lengths`
    digests  8 bytes per step
    surveys  layers that are not part of the run, on request: i8 by layer and cell, every `stride` steps, like `fixed`
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from ....agents.brains.surroundings import STATES
from ....conventions import Array
from ....errors import InputError
from ....vocabulary.events import StateChanged
from ....vocabulary.words import AgentState
from ...prose.sentences import Sentences
from ...prose.story import Sentence, story_of
from ..panels.agent import account_answer
from ..protocol.crew_state import crew_notes, crews_now
from ..protocol.frames import HEAD, FramePacker, packed
from ..protocol.greeting import Hello, LayerKind
from ..protocol.greeting_builder import greeting_of, mesh_answer
from ..protocol.layers import RECORDED, layer_kinds, packed_values
from ..protocol.news import Crews, ended_of
from ..protocol.replies import ReplayHead
from ..protocol.solid import solid_answer
from ..server.page_bundle import bundled_page, module
from ..session.game import Game
from ..session.stage import Stage
from .survey import PastEvents, Survey, frame_to_survey

MOST_SECONDS = 900.0
"""Maximum seconds of a stretch."""
MOST_BYTES = 256 * 1024 * 1024
"""Maximum bytes before compression."""
EVERY = 240
_SEEN = 3
"""Views and paths are kept in every this many frames."""
_GRAIN = 1.0 / 256.0
"""Precision of numbers: the rest is invisible, but would be half of the bytes."""

Progress = Callable[[str, float], None]


def replay_data(
    stage: Stage,
    first: int = 0,
    last: int | None = None,
    *,
    surveys: bool = False,
    progress: Progress | None = None,
) -> bytes:
    """Return steps `first` to `last` of a stage that has a recording; step `first` becomes step 0.

    `surveys`: with the surveyed layers, which takes longer.

    Raise InputError if the stretch is too long for one block.
    """
    tell = progress or (lambda *_: None)
    game = Game(stage)
    game.read_search()
    end = game.ticks - 1 if last is None else min(last, game.ticks - 1)
    first = min(first, end)
    seconds = (end - first + 1) * game.recording.about.step
    if seconds > MOST_SECONDS:
        raise InputError(f"{seconds:.0f} s are too long for one replay; choose at most {MOST_SECONDS:g} s")
    parts, crews = _frames(game, first, end, tell)
    kinds = offered_kinds(game) if surveys else RECORDED
    steps = surveyed_steps(game, first, end, kinds)
    if surveys:
        found = surveys_of(game, steps, kinds, lambda done: tell("layers", 0.4 + 0.2 * done))
        parts["surveys"] = _planes([one.tobytes() for one in found])
    head = ReplayHead(
        hello=_hello(game, first, end, kinds),
        stride=steps.step,
        events=_events(game, first, end),
        story=_story(game, first, end),
        crews=crews,
        accounts=accounts_of(game, first, end, lambda done: tell("why", 0.6 + 0.3 * done)),
        mesh=mesh_answer(game),
        solid=solid_answer(game),
        every=EVERY,
        seen=_SEEN,
        ticks=end - first + 1,
        parts={},
    )
    tell("packing", 0.9)
    return zlib.compress(_joined(head, parts), 9)


def _frames(game: Game, first: int, last: int, tell: Progress) -> tuple[dict[str, bytes], list[tuple[int, Crews]]]:
    """Return all parts, and the crews as [step, crews] whenever they changed."""
    packer = FramePacker(game, grain=_GRAIN)
    fixed: list[bytes] = []
    rest: list[bytes] = []
    keys: list[bytes] = []
    crews: list[tuple[int, Crews]] = []
    has_crews = crew_notes(game) is not None
    before, size = None, 0
    for number, tick in enumerate(range(first, last + 1)):
        if number % 30 == 0:
            tell("frames", 0.4 * number / (last - first + 1))
        game.seek(tick)
        shot = replace(packer.frame(views=number % _SEEN == 0, ways=number % _SEEN == 0), tick=number)
        if has_crews and (not crews or crews[-1][1] != crews_now(game)):
            crews.append((number, crews_now(game)))
        shown, split = range(len(shot.layers)), HEAD.size + len(shot.body)
        if number % EVERY == 0:
            keys.append(packed(shot, None, shown, views=False))
        frame = packed(shot, before or shot.layers, shown, views=True, ways=True)
        fixed.append(frame[:split])
        rest.append(frame[split:])
        before, size = shot.layers, size + len(frame)
        if size > MOST_BYTES:
            raise InputError(
                f"the first {number * game.recording.about.step:.0f} s already fill a replay; choose a shorter stretch"
            )
    parts = {
        "fixed": _planes(fixed),
        "rest": b"".join(rest),
        "lengths": _lengths(rest),
        "keys": b"".join(keys),
        "key_lengths": _lengths(keys),
        "digests": np.asarray(game.recording.column("digest"), "<u8")[first : last + 1].tobytes(),
    }
    return parts, crews


def _lengths(pieces: list[bytes]) -> bytes:
    return np.array([len(one) for one in pieces], "<u4").tobytes()


def _planes(frames: list[bytes]) -> bytes:
    """Return frames of equal length as differences from one to the next, in byte planes."""
    table = np.frombuffer(b"".join(frames), np.uint8).reshape(len(frames), -1)
    change = table.copy()
    change[1:] ^= table[:-1]
    return np.ascontiguousarray(change.T).tobytes()


def _hello(game: Game, first: int, last: int, kinds: tuple[LayerKind, ...]) -> Hello:
    ended = ended_of(game.recording) if last == game.ticks - 1 else None
    hello = greeting_of(game, kinds)
    return msgspec.structs.replace(hello, kind="recording", ticks=last - first + 1, first=first, ended=ended)


def _events(game: Game, first: int, last: int) -> list[dict[str, Any]]:
    """Return the events, preceded by the initial state of each agent."""
    happened = [event for event in game.events(first) if event.tick <= last]
    if first > 0:
        now = game.recording.frame(first).columns["state"].tolist()
        known = {event.agent for event in happened if isinstance(event, StateChanged) and event.tick == first}
        begun = [StateChanged(first, n, state=AgentState(STATES[one])) for n, one in enumerate(now) if n not in known]
        happened = [*begun, *happened]
    of = Sentences.of_recording(game.recording)
    return [of.as_object(event) | {"tick": event.tick - first} for event in happened]


def _story(game: Game, first: int, last: int) -> list[Sentence]:
    return [
        replace(one, tick=one.tick - first, seconds=round(one.seconds, 3))
        for one in story_of(game.recording, first=first, last=last)
        if one.tick >= first
    ]


def _joined(head: ReplayHead, parts: dict[str, bytes]) -> bytes:
    places, pieces, at = {}, [], 0
    for name, data in parts.items():
        places[name] = (at, len(data))
        pieces.append(_padded(data))
        at += len(pieces[-1])
    text = _padded(msgspec.json.encode(msgspec.structs.replace(head, parts=places)), b" ")
    return b"".join([len(text).to_bytes(4, "little"), text, *pieces])


def _padded(data: bytes, fill: bytes = b"\0") -> bytes:
    return data + fill * (-len(data) % 4)


_SERVED = {
    "compare/mode.js": "compareMode",
    "edit/mode.js": "editMode",
    "modes/play.js": "playMode",
    "modes/whatif.js": "whatifMode",
    "rules/mode.js": "rulesMode",
}
"""Modes that need a server, and their factories: in a replay they would be half of the file, and refused."""


def replay_page(stage: Stage, first: int = 0, last: int | None = None, *, progress: Progress | None = None) -> bytes:
    """Return the page of steps `first` to `last` of a stage that has a recording.

    Raise InputError if the stretch is too long for one file.
    """
    data = replay_data(stage, first, last, surveys=True, progress=progress)
    replaced = {name: f"export const {made} = () => ({{ name: '{made}' }});\n" for name, made in _SERVED.items()}
    replaced["connection.js"] = module("replay/embedded.js")
    return bundled_page(f"{stage.name} · lastseen", data, replaced).encode()


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
                account = msgspec.to_builtins(account_answer(game, agent, tick))
                accounts.append(_short(account, first, game.recording.about.trees[agent].splitlines()))
    return found


def _short(account: dict[str, Any], first: int, tree: list[str]) -> dict[str, Any]:
    """Return an account without what the page knows already; `tree` are the lines of the agent's first tree."""
    kept = {name: value for name, value in account.items() if name not in ("type", "tree", "before", "decision")}
    kept["tick"] -= first
    kept["seconds"] = round(kept["tick"] * account["step"], 3)
    kept["tree"] = [[node["status"], node["reason"]] for node in account["tree"]]
    if (lines := [node["text"] for node in account["tree"]]) != tree:
        kept["lines"] = lines
    if account["duty"] is not None:
        nodes = [[node["status"], node["reason"]] for node in account["duty"]["tree"]]
        kept["duty"] = account["duty"] | {"tree": nodes}
        if account["duty"]["since"] is not None:
            kept["duty"]["since"] = round(account["duty"]["since"] - first * account["step"], 3)
    kept["before"] = [_event(event, first) for event in account["before"]]
    kept["out"] = None if account["out"] is None else _event(account["out"], first)
    kept["decision"] = None if account["decision"] is None else _decision(account["decision"], first)
    return kept


def _event(event: dict[str, Any], first: int) -> dict[str, Any]:
    kept: dict[str, Any] = {name: event[name] for name in ("kind", "agent", "other", "text") if name in event}
    return kept | {"tick": event["tick"] - first}


def _decision(event: dict[str, Any], first: int) -> dict[str, Any]:
    kept = {name: one for name, one in event.items() if not isinstance(one, list | tuple) or len(one) <= _MOST_LISTED}
    return kept | {"tick": event["tick"] - first}


MOST_SURVEY_BYTES = 32 * 1024 * 1024
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
    while len(range(first, last + 1, stride)) * size > MOST_SURVEY_BYTES and stride <= last - first:
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
    past = PastEvents()
    for number, tick in enumerate(steps):
        tell(number / len(steps))
        game.seek(tick)
        frame = frame_to_survey(game, past)
        for at, kind in enumerate(surveyed):
            found[number, at] = packed_values(kind, survey.values(kind.name, frame))
    return found
