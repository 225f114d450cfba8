"""The protocol as a whole: every message between page and studio, and its JSON schema."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, Union, get_args

import msgspec

from ....errors import InputError
from ..panels.registry import asking_panels
from ..session.message_handlers import HANDLERS
from . import feeds, greeting, news, replies, tree_replies
from .messages import Message
from .replies import AskRules, KeepDraft, SaveRules, SaveScenario, ScenarioValues
from .tree_replies import SaveTree, TreeValues

News = (
    greeting.Hello | greeting.Preview
    | news.BreakpointHit | news.BreakpointsMoved | news.TreeApplied
    | news.Busy | news.Cancelled | news.Compiling | news.Crews | news.Evaluation
    | news.Events | news.Exported | news.FeedState | news.Floods | news.Joined | news.Measured | news.Menus
    | news.MeshDrawing | news.Note | news.NumbersShown | news.Problem | news.Progress | news.Saved | news.Solid
    | news.SpeechState | news.Spent | news.SpotsShown | news.Status | news.Story | news.Taken | news.Working
)  # fmt: skip
Answer = (
    news.Problem | replies.Changed | replies.Checked | replies.CheckedRules | replies.DraftData | replies.Drafts
    | replies.Drawing | replies.Dropped | replies.FaultyRules | replies.Kept | replies.OpenedRules | replies.RuleMenu
    | tree_replies.CheckedTree | tree_replies.OpenedTree | tree_replies.SavedTree | tree_replies.TreeMenu
    | replies.CheckedScenario | replies.OpenedScenario | replies.SavedScenario
    | replies.SavedLevel | replies.SavedRules | replies.SortedRules | replies.Uploaded | replies.WhyRules
)  # fmt: skip
"""What the studio answers to HTTP requests."""
Kinds = tuple[type[msgspec.Struct], ...]
ANSWERS: Kinds = get_args(Answer)
BODIES: Kinds = (AskRules, KeepDraft, SaveRules, SaveScenario, ScenarioValues, SaveTree, TreeValues)
FILES: Kinds = (replies.PlacedGuards, replies.ReplayHead, replies.SneakPaths, feeds.Marks)
"""JSON that pages read besides messages: files they download, and the marks at the end of frames."""
FROM_GAMES: Kinds = get_args(feeds.FromGame)
TO_GAMES: Kinds = get_args(feeds.ToGame)
"""What games send as feeds, and the studio's answers."""
MOST_BYTES = 64 * 1024
"""Maximum bytes of a message from a page."""


def socket_in() -> Kinds:
    """Return the messages a page may send through the socket, including the questions of panels."""
    return _with_panels(tuple(HANDLERS), {panel.name: panel.question for panel in asking_panels()})


def socket_out() -> Kinds:
    """Return the messages the studio sends through the socket, including its replies to panels."""
    return _with_panels(get_args(News), {panel.name: panel.reply for panel in asking_panels()})


def _with_panels(kinds: Kinds, added: dict[str, type[msgspec.Struct] | None]) -> Kinds:
    """Return messages and those of panels by name; raise InputError if two have the same type."""
    found = {kind.__struct_config__.tag: kind for kind in kinds}
    for name, kind in added.items():
        tag = kind.__struct_config__.tag if kind is not None else None
        if kind is None or tag in found:
            raise InputError(f"panel {name!r} has a message tagged {tag!r}, which exists already; choose another tag")
        found[tag] = kind
    return tuple(found.values())


def parse_message(data: str | bytes) -> Message:
    """Return the message a page sent; raise InputError if it is too long, not JSON, of unknown type, or invalid."""
    return _parsed(data, socket_in(), MOST_BYTES)


def parse_feed(data: str | bytes) -> feeds.FromGame:
    """Return the message a game sent; raise InputError as `parse_message` does."""
    message: feeds.FromGame = _parsed(data, FROM_GAMES, feeds.MOST_FEED_BYTES)
    return message


def _parsed(data: str | bytes, kinds: Kinds, most: int) -> Any:
    length = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if length > most:
        raise InputError(f"the message has {length:,} bytes; at most {most:,} are read")
    try:
        return _decoder(kinds).decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InputError(f"the message cannot be read: {error}") from None


@cache
def _decoder(kinds: Kinds) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[kinds])  # noqa: UP007


def protocol_schema() -> dict[str, Any]:
    """Return the JSON schema of the protocol: by direction the names of its messages, and `$defs` of all parts."""
    groups = {
        "socket from page": socket_in(),
        "socket to page": socket_out(),
        "request bodies": BODIES,
        "answers": ANSWERS,
        "files": FILES,
        "feed from game": FROM_GAMES,
        "feed to game": TO_GAMES,
    }
    _, defs = msgspec.json.schema_components({one for group in groups.values() for one in group})
    return {name: [one.__name__ for one in group] for name, group in groups.items()} | {"$defs": defs}


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(protocol_schema())) + b"\n")
