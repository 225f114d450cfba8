"""Routes for opening, checking, sorting, trying and saving rules: requests with the token, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import InputError
from .answers import answer, body_of
from .folder import Folder
from .rules_checking import AskRules, check_answer, sorted_answer, why_answer
from .rules_homes import MOST_BYTES, open_rule_files, rule_menu
from .rules_saving import RulesChanged, SaveRules, save_rules
from .turns import Act, Turns, given

__all__ = ["rules_routes"]

_MOST_SENT = 3 * MOST_BYTES
"""Maximum bytes of a request: files as they were and as they are to be."""
Asked = TypeVar("Asked")


def rules_routes(folder: Folder, turns: Turns) -> list[Route]:
    """Return the routes of the rules editor."""

    async def menu(request: Request) -> Response:  # noqa: ARG001
        return answer(200, {"type": "rule menu", "rules": await asyncio.to_thread(rule_menu, folder)})

    async def opened(request: Request) -> Response:
        async with turns.lock:
            return answer(200, await asyncio.to_thread(open_rule_files, folder, given(request, "name")))

    def asking(ask: Callable[[AskRules], dict[str, Any]]) -> Act:
        async def respond(request: Request) -> Response:
            asked = _read(await body_of(request, _MOST_SENT), AskRules)
            async with turns.lock:
                return answer(200, await asyncio.to_thread(ask, asked))

        return respond

    async def saved(request: Request) -> Response:
        asked = _read(await body_of(request, _MOST_SENT), SaveRules)
        try:
            async with turns.lock:
                result = await asyncio.to_thread(save_rules, folder, asked)
        except RulesChanged as error:
            # Not a mistake of the page: it asks the user what to do, and sends the digest of what it would replace.
            return answer(200, {"type": "changed", "message": str(error), "file": error.file, "digest": error.digest})
        return answer(200, {**result, "rules": await asyncio.to_thread(rule_menu, folder)})

    return [
        Route("/api/rules/menu", turns.guarded("list rules", menu), methods=["GET"]),
        Route("/api/rules", turns.guarded("open rules", opened), methods=["GET"]),
        Route("/api/rules/check", turns.guarded("check rules", asking(check_answer)), methods=["POST"]),
        Route("/api/rules/sorted", turns.guarded("sort rules", asking(sorted_answer)), methods=["POST"]),
        Route("/api/rules/why", turns.guarded("try rules", asking(why_answer)), methods=["POST"]),
        Route("/api/rules/save", turns.guarded("save rules", saved), methods=["POST"]),
    ]


def _read(data: bytes, kind: type[Asked]) -> Asked:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InputError(f"the request cannot be read: {error}") from None
