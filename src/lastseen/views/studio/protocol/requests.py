"""The bodies of HTTP requests that pages send to the studio."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from ....agents.rules.files.revision import Elsewhere

Short = Annotated[str, msgspec.Meta(max_length=200)]


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A draft of a page: its subject (`kind`, `name`), time (`at`, milliseconds since 1970) and the page's title."""

    id: str
    kind: Literal["rules", "level"]
    name: Short
    at: Annotated[float, msgspec.Meta(ge=0.0, le=1e15)]
    title: Short = ""


class KeepDraft(Draft, frozen=True):
    """A draft with its content."""

    data: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"null"))


class RuleValues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a file, as plain values."""

    name: str
    value: dict[str, Any]


class AskRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules as edited in the page, the handlers in question, and facts to try them with."""

    files: list[RuleValues]
    handlers: list[str] = []
    facts: dict[str, bool | int | float | str] = {}


class RuleFileText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file as the page opened it, and its new content.

    Attributes
    ----------
    text : as opened; `digest`: of the file that may be replaced, empty: the file should not exist.
    value : new values; if left out, the text stays unchanged.
    origins : by handler, the place of each rule in the text, or elsewhere; None: it is new.
    """

    name: str
    text: str
    digest: str = ""
    value: dict[str, Any] | None = None
    origins: dict[str, list[int | Elsewhere | None]] = {}


class SaveRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Files to write as rules of that name; `is_new`: as a folder or file that does not exist yet."""

    target: str
    files: list[RuleFileText]
    is_new: bool = False
    single: bool = False
