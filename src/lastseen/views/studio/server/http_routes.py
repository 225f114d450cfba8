"""HTTP requests for uploads, drafts and what pages edit: with the token, bounded, and one after another."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ....errors import InputError, LastSeenError
from ..editing.drafts import MOST_DRAFT_BYTES, Drafts
from ..editing.level_files import MOST_BYTES, Changed, check_drawing, open_drawing, save_drawing, save_overlay
from ..editing.mesh_files import Mesh, mesh_of
from ..editing.rule_checks import check_answer, sorted_answer, why_answer
from ..editing.rule_files import MOST_RULE_BYTES, open_rule_files, rule_menu, save_rules
from ..editing.scenario_files import MOST_SCENARIO_BYTES, check_scenario, open_scenario, save_scenario
from ..editing.tree_files import MOST_TREE_BYTES, check_tree, open_tree, save_tree, tree_menu
from ..protocol import replies, tree_replies
from ..protocol.news import Code, Problem, Sent
from ..session.folder import FILE_RULES, UPLOADED, Folder, Uploads
from .security import HEADERS, Door

_MOST_WAITING = 8
"""Maximum number of waiting requests of all pages."""
_LONGEST_NAME = 200
_MOST_SENT = 3 * MOST_RULE_BYTES
"""Maximum bytes of a request about rules: files as they were and as they are to be."""
Query = Callable[[str], str]
"""Returns a parameter of a request by name; empty: it was not given."""
Asked = TypeVar("Asked")


def answer(message: Sent, status: int = 200) -> Response:
    """Return a message as JSON, with the standard headers."""
    return Response(msgspec.json.encode(message), status, {**HEADERS, "Content-Type": "application/json"})


def refusal(status: int, code: Code, message: str, about: str) -> Response:
    """Return an error response."""
    return answer(Problem(code, message, about), status)


class Turns:
    """Makes routes whose requests need the token; those that `lock` are handled one at a time."""

    def __init__(self, door: Door):
        self._door = door
        self._lock = asyncio.Lock()
        self._waiting = 0

    def route(
        self, path: str, about: str, work: Callable[[Query, bytes], Sent], *, most: int | None = None, lock: bool = True
    ) -> Route:
        """Return a route that answers with what `work` returns in a thread, or with an error.

        `most`: maximum bytes of the body of a POST request; None: a GET request, without a body.
        """

        async def respond(request: Request) -> Response:
            def query(name: str) -> str:
                return request.query_params.get(name, "")[:_LONGEST_NAME]

            if not self._door.knows_token(request.query_params.get("token")):
                return refusal(401, "token", "wrong token", about)
            if self._waiting >= _MOST_WAITING:
                return refusal(429, "busy", "the studio is busy; try again in a moment", about)
            self._waiting += 1
            try:
                data = b"" if most is None else await _body_of(request, most)
                async with self._lock if lock else contextlib.nullcontext():
                    return answer(await asyncio.to_thread(work, query, data))
            except Changed as error:
                # Not a mistake of the page: it asks the user what to do, and sends the digest of what it would replace.
                return answer(replies.Changed(message=str(error), digest=error.digest, file=error.file))
            except LastSeenError as error:
                return refusal(400, "refused", str(error), about)
            finally:
                self._waiting -= 1

        return Route(path, respond, methods=["GET" if most is None else "POST"])


async def _body_of(request: Request, most: int) -> bytes:
    """Return the body of a request; raise as soon as it exceeds `most` bytes."""
    data = bytearray()
    try:
        async for piece in request.stream():
            data += piece
            if len(data) > most:
                raise InputError(f"the file is larger than {most:,} bytes")
    except ClientDisconnect:
        raise InputError("the connection closed before the upload was complete") from None
    return bytes(data)


def api_routes(folder: Folder, uploads: Uploads, drafts: Drafts, door: Door) -> list[Route]:
    """Return the routes of uploads, drafts, and the editors of levels, scenarios, trees and rules."""
    route = Turns(door).route

    def upload(query: Query, data: bytes) -> Sent:
        return replies.Uploaded(kind=uploads.keep(query("name"), data), name=UPLOADED + query("name"))

    def list_drafts(query: Query, _: bytes) -> Sent:
        return replies.Drafts(home=drafts.home, drafts=drafts.all(query("kind")))

    def drop_draft(query: Query, _: bytes) -> Sent:
        drafts.drop(query("id"))
        return replies.Dropped()

    def mesh_in(query: Query) -> Mesh | None:
        return mesh_of(folder, query("mesh")) if query("mesh") else None

    def check_level(query: Query, data: bytes) -> Sent:
        return replies.Checked(check_drawing(data, mesh_in(query)))

    def save_level(query: Query, data: bytes) -> Sent:
        mesh = mesh_in(query)
        if mesh is not None:
            return save_overlay(folder, mesh, data, query("digest"))
        return save_drawing(folder, query("name"), data, query("digest"))

    def save(_: Query, data: bytes) -> Sent:
        saved = save_rules(folder, _read(data, replies.SaveRules))
        return msgspec.structs.replace(saved, rules=tuple(rule_menu(folder)))

    def check_one(_: Query, data: bytes) -> Sent:
        return check_scenario(folder, _read(data, replies.ScenarioValues))

    def save_one(_: Query, data: bytes) -> Sent:
        return save_scenario(folder, _read(data, replies.SaveScenario))

    def save_trees(_: Query, data: bytes) -> Sent:
        return save_tree(folder, _read(data, tree_replies.SaveTree))

    def about_rules(ask: Callable[[replies.AskRules], Sent]) -> Callable[[Query, bytes], Sent]:
        return lambda _, data: ask(_read(data, replies.AskRules))

    return [
        route("/api/upload", "upload", upload, most=FILE_RULES.most_bytes),
        route("/api/drafts", "list drafts", list_drafts, lock=False),
        route("/api/draft", "open draft", lambda query, _: drafts.read(query("id")), lock=False),
        route("/api/draft", "keep draft", lambda _, data: replies.Kept(drafts.keep(data)), most=MOST_DRAFT_BYTES),
        route("/api/draft/drop", "drop draft", drop_draft, most=_LONGEST_NAME),
        route("/api/level", "open level", lambda query, _: open_drawing(folder, query("name"))),
        route("/api/level/check", "check level", check_level, most=MOST_BYTES),
        route("/api/level/save", "save level", save_level, most=MOST_BYTES),
        route("/api/scenario", "open scenario", lambda query, _: open_scenario(folder, query("name"), query("level"))),
        route("/api/scenario/check", "check scenario", check_one, most=2 * MOST_SCENARIO_BYTES),
        route("/api/scenario/save", "save scenario", save_one, most=3 * MOST_SCENARIO_BYTES),
        route("/api/tree/menu", "list trees", lambda *_: tree_replies.TreeMenu(tree_menu(folder)), lock=False),
        route("/api/tree", "open tree", lambda query, _: open_tree(folder, query("name"))),
        route(
            "/api/tree/check",
            "check tree",
            lambda _, data: check_tree(_read(data, tree_replies.TreeValues)),
            most=2 * MOST_TREE_BYTES,
        ),
        route("/api/tree/save", "save tree", save_trees, most=3 * MOST_TREE_BYTES),
        route("/api/rules/menu", "list rules", lambda *_: replies.RuleMenu(rule_menu(folder)), lock=False),
        route("/api/rules", "open rules", lambda query, _: open_rule_files(folder, query("name"))),
        route("/api/rules/check", "check rules", about_rules(check_answer), most=_MOST_SENT),
        route("/api/rules/sorted", "sort rules", about_rules(sorted_answer), most=_MOST_SENT),
        route("/api/rules/why", "try rules", about_rules(why_answer), most=_MOST_SENT),
        route("/api/rules/save", "save rules", save, most=_MOST_SENT),
    ]


def _read(data: bytes, kind: type[Asked]) -> Asked:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InputError(f"the request cannot be read: {error}") from None
