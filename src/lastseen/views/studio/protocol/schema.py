"""The protocol as a whole: every message between page and studio, and its JSON schema."""

from __future__ import annotations

import sys
from typing import Any, get_args

import msgspec

from . import greeting, news, replies
from .messages import Message
from .requests import AskRules, KeepDraft, SaveRules

News = (
    greeting.Hello | greeting.Preview | news.Account | news.Busy | news.Cancelled | news.CellValues | news.Compiling
    | news.Crews | news.Evaluation | news.Events | news.Exported | news.Floods | news.Ground | news.Measured
    | news.Menus | news.Note | news.Problem | news.Progress | news.Saved | news.SpotsShown | news.Status | news.Story
    | news.Taken | news.SpeechState
)  # fmt: skip
"""What the studio sends through the socket."""
Answer = (
    news.Problem | replies.Changed | replies.Checked | replies.CheckedRules | replies.DraftData | replies.Drafts
    | replies.Drawing | replies.Dropped | replies.FaultyRules | replies.Kept | replies.OpenedRules | replies.RuleMenu
    | replies.SavedLevel | replies.SavedRules | replies.SortedRules | replies.Uploaded | replies.WhyRules
)  # fmt: skip
"""What the studio answers to HTTP requests."""

SOCKET_IN: tuple[type[msgspec.Struct], ...] = get_args(Message)
SOCKET_OUT: tuple[type[msgspec.Struct], ...] = get_args(News)
ANSWERS: tuple[type[msgspec.Struct], ...] = get_args(Answer)
BODIES: tuple[type[msgspec.Struct], ...] = (AskRules, KeepDraft, SaveRules)
FILES: tuple[type[msgspec.Struct], ...] = (replies.PlacedGuards, replies.ReplayHead, replies.SneakedWays)
"""JSON files that pages download and read."""


def protocol_schema() -> dict[str, Any]:
    """Return the JSON schema of the protocol: by direction the names of its messages, and `$defs` of all parts."""
    groups = {
        "socket from page": SOCKET_IN,
        "socket to page": SOCKET_OUT,
        "request bodies": BODIES,
        "answers": ANSWERS,
        "files": FILES,
    }
    _, defs = msgspec.json.schema_components({one for group in groups.values() for one in group})
    return {name: [one.__name__ for one in group] for name, group in groups.items()} | {"$defs": defs}


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(protocol_schema())) + b"\n")
