"""HTTP routes for drafts, drawings and rules: requests with the token, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ....errors import InputError
from ..editing.drafts import MOST_DRAFT_BYTES, Drafts
from ..editing.level_files import MOST_BYTES, Changed, check_drawing, open_drawing, save_drawing
from ..editing.rule_checks import check_answer, sorted_answer, why_answer
from ..editing.rule_files import RulesChanged, save_rules
from ..editing.rule_homes import MOST_RULE_BYTES, open_rule_files, rule_menu
from ..protocol import replies
from ..protocol.news import Sent
from ..protocol.requests import AskRules, SaveRules
from ..session.folder import Folder
from .http_requests import Act, Turns, answer, body_of, given


def draft_routes(drafts: Drafts, turns: Turns) -> list[Route]:
    """Return the routes of drafts."""

    async def listed(request: Request) -> Response:
        found = await asyncio.to_thread(drafts.all, given(request, "kind"))
        return answer(replies.Drafts(home=drafts.home, drafts=found))

    async def opened(request: Request) -> Response:
        return answer(await asyncio.to_thread(drafts.read, given(request, "id")))

    async def kept(request: Request) -> Response:
        data = await body_of(request, MOST_DRAFT_BYTES)
        async with turns.lock:
            return answer(replies.Kept(newest=await asyncio.to_thread(drafts.keep, data)))

    async def dropped(request: Request) -> Response:
        async with turns.lock:
            await asyncio.to_thread(drafts.drop, given(request, "id"))
        return answer(replies.Dropped())

    return [
        Route("/api/drafts", turns.guarded("list drafts", listed), methods=["GET"]),
        Route("/api/draft", turns.guarded("open draft", opened), methods=["GET"]),
        Route("/api/draft", turns.guarded("keep draft", kept), methods=["POST"]),
        Route("/api/draft/drop", turns.guarded("drop draft", dropped), methods=["POST"]),
    ]


def editing_routes(folder: Folder, turns: Turns) -> list[Route]:
    """Return the routes of the editor."""

    async def opened(request: Request) -> Response:
        async with turns.lock:
            return answer(await asyncio.to_thread(open_drawing, folder, given(request, "name")))

    async def checked(request: Request) -> Response:
        data = await body_of(request, MOST_BYTES)
        async with turns.lock:
            return answer(replies.Checked(faults=await asyncio.to_thread(check_drawing, data)))

    async def saved(request: Request) -> Response:
        data = await body_of(request, MOST_BYTES)
        name, before = given(request, "name"), given(request, "digest")
        try:
            async with turns.lock:
                return answer(await asyncio.to_thread(save_drawing, folder, name, data, before))
        except Changed as error:
            # Not a mistake of the page: it asks the user what to do, and sends the digest of what it would replace.
            return answer(replies.Changed(message=str(error), digest=error.digest))

    return [
        Route("/api/level", turns.guarded("open level", opened), methods=["GET"]),
        Route("/api/level/check", turns.guarded("check level", checked), methods=["POST"]),
        Route("/api/level/save", turns.guarded("save level", saved), methods=["POST"]),
    ]


_MOST_SENT = 3 * MOST_RULE_BYTES
"""Maximum bytes of a request: files as they were and as they are to be."""
Asked = TypeVar("Asked")


def rules_routes(folder: Folder, turns: Turns) -> list[Route]:
    """Return the routes of the rules editor."""

    async def menu(request: Request) -> Response:  # noqa: ARG001
        return answer(replies.RuleMenu(rules=await asyncio.to_thread(rule_menu, folder)))

    async def opened(request: Request) -> Response:
        async with turns.lock:
            return answer(await asyncio.to_thread(open_rule_files, folder, given(request, "name")))

    def asking(ask: Callable[[AskRules], Sent]) -> Act:
        async def respond(request: Request) -> Response:
            asked = _read(await body_of(request, _MOST_SENT), AskRules)
            async with turns.lock:
                return answer(await asyncio.to_thread(ask, asked))

        return respond

    async def saved(request: Request) -> Response:
        asked = _read(await body_of(request, _MOST_SENT), SaveRules)
        try:
            async with turns.lock:
                result = await asyncio.to_thread(save_rules, folder, asked)
        except RulesChanged as error:
            # Not a mistake of the page: it asks the user what to do, and sends the digest of what it would replace.
            return answer(replies.Changed(message=str(error), digest=error.digest, file=error.file))
        return answer(msgspec.structs.replace(result, rules=tuple(await asyncio.to_thread(rule_menu, folder))))

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
