"""Packs: compiled rules in one file that loads in milliseconds and is checked against its sources.

A pack is a cache stored next to its sources. It is used only if it is intact (digest), made from exactly these sources
(their digests), and every number used as an index is valid; rules and actions are decoded on first access.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np

from .... import arrayfile
from ....checks import file_path
from ....conventions import Array
from ....errors import CellFileError, InputError, RuleError, did_you_mean
from ....files import atomic_write
from ....textfile import digest_of
from ..files.read import read_documents, rule_files
from ..language.rule import Database, Handler, LineSettings, Rule, VariableSpec
from .compile import CompiledHandler, compile_handler
from .pack_parts import (
    PARTS,
    HandlerMeta,
    Lazy,
    PackMeta,
    SourceMeta,
    Tables,
    decode_list,
    joined,
    rule_decoder,
    table_arrays,
)

KIND, VERSION = "rules", 3
PACK_NAME = ".rules.pack"
"""File name of the pack in the folder of its sources."""

_LINES = msgspec.msgpack.Decoder(tuple[dict[str, dict[str, str]], dict[str, LineSettings]])


class RulePack:
    """Compiled handlers of a database.

    Attributes
    ----------
    variables : specifications by path.
    handlers : names.
    sources : files from which the pack was made.
    """

    def __init__(self, file: arrayfile.ArrayFile[PackMeta], source: str, folder: Path):
        self.source, self._folder = source, folder
        self._meta, self._line_bytes = file.meta, file.arrays.get("lines", np.empty(0, np.uint8)).tobytes()
        self._places: dict[str, int] = {meta.name: place for place, meta in enumerate(file.meta.handlers)}
        self._compiled: dict[str, CompiledHandler] = {}
        self._lines: tuple[dict[str, dict[str, str]], dict[str, LineSettings]] | None = None
        self._database: Database | None = None
        self.variables: dict[str, VariableSpec] = file.meta.variables
        if not {name for meta in file.meta.handlers for name in meta.variables} <= self.variables.keys():
            raise self._damaged("its handlers use undeclared variables")
        try:
            self._tables = Tables(file.arrays, [len(meta.variables) for meta in file.meta.handlers])
        except RuleError as error:
            raise self._damaged(str(error)) from None
        self.handlers = tuple(self._places)
        self.sources = tuple(str(folder / one.name) for one in file.meta.sources)

    @property
    def lines(self) -> dict[str, dict[str, str]]:
        """Lines of speech: id → language → text."""
        return self._decoded_lines()[0]

    @property
    def line_settings(self) -> dict[str, LineSettings]:
        """Settings of lines that have any, by id."""
        return self._decoded_lines()[1]

    def _decoded_lines(self) -> tuple[dict[str, dict[str, str]], dict[str, LineSettings]]:
        if self._lines is None:
            try:
                self._lines = _LINES.decode(self._line_bytes)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise self._damaged(f"its lines: {error}") from None
        return self._lines

    def compiled(self, *names: str) -> CompiledHandler:
        """Return a handler, or several combined into one.

        Raises
        ------
        RuleError
            There is no such handler, or its part of the pack is damaged.
        """
        if len(names) != 1:
            together = " + ".join(names)
            if together not in self._compiled:
                self._compiled[together] = compile_handler(self.database(), *names)
            return self._compiled[together]
        if names[0] not in self._places:
            known = ", ".join(self.handlers) or "none"
            raise RuleError(f"no handler {names[0]!r}{did_you_mean(names[0], self.handlers)}; there are {known}")
        if names[0] not in self._compiled:
            self._compiled[names[0]] = self._handler(self._places[names[0]])
        return self._compiled[names[0]]

    def _damaged(self, what: str) -> RuleError:
        return RuleError(f"{self.source}: the pack is damaged: {what}; delete it, it will be rebuilt from the rules")

    def _handler(self, place: int) -> CompiledHandler:
        meta = self._meta.handlers[place]
        parts = self._tables.handler(place)
        asked = parts["asks"].tolist()
        decode_rule = rule_decoder(meta, str(self._folder), self._damaged)
        return CompiledHandler(
            meta.name,
            Lazy(parts["rule_start"], parts["rules"], decode_rule, self._damaged),
            parts["list_of"],
            Lazy(parts["list_start"], parts["lists"], decode_list, self._damaged),
            meta.variables,
            tuple(self.variables[name] for name in meta.variables),
            meta.texts,
            parts["cut_start"],
            parts["cuts"],
            parts["row_start"],
            parts["rows"],
            tuple(tuple(asked[low:high]) for low, high in pairwise(parts["ask_start"].tolist())),
        )

    def database(self) -> Database:
        """Return the database as it was before compilation; decodes all rules."""
        if self._database is None:
            handlers = {name: self._written(name) for name in self.handlers}
            self._database = Database(
                self.variables, handlers, str(self._folder), self.lines, line_settings=self.line_settings
            )
        return self._database

    def _written(self, name: str) -> Handler:
        meta, compiled = self._meta.handlers[self._places[name]], self.compiled(name)
        rules: list[Rule | None] = [None] * len(compiled)
        for number, at in enumerate(self._tables.handler(self._places[name])["written"].tolist()):
            rules[at] = compiled.rules[number]
        return Handler(name, tuple(rule for rule in rules if rule), meta.order, meta.policy, meta.cooldown)


def pack_bytes(database: Database, digests: Mapping[str, str], folder: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a pack.

    Parameters
    ----------
    digests : by file, of the bytes from which the database was read; the files may lie anywhere on this machine.
    """
    base = Path(file_path(folder))
    tables: list[dict[str, Array]] = []
    metas: list[HandlerMeta] = []
    for name, handler in database.handlers.items():
        compiled = compile_handler(database, name)
        metas.append(
            HandlerMeta(name, handler.order, handler.policy, handler.cooldown, compiled.variables, compiled.texts)
        )
        tables.append(_parts(handler, compiled, base))
    arrays = table_arrays(tables)
    arrays["lines"] = np.frombuffer(msgspec.msgpack.encode((database.lines, database.line_settings)), np.uint8)
    meta = PackMeta(
        [SourceMeta(_relative(one, base), digest) for one, digest in digests.items()], database.variables, metas
    )
    return arrayfile.encode(KIND, VERSION, arrays, meta)


def _parts(handler: Handler, compiled: CompiledHandler, base: Path) -> dict[str, Array]:
    number_of = {rule.name: number for number, rule in enumerate(handler.rules)}
    written = np.array([number_of[rule.name] for rule in compiled.rules], np.int32)
    names = {source: _relative(source, base) for source in {rule.source for rule in handler.rules}}
    given = [handler.rules[at] for at in written.tolist()]
    rules = [msgspec.msgpack.encode(msgspec.structs.replace(rule, source=names[rule.source])) for rule in given]
    rule_start, rule_bytes = joined(rules)
    lists = [(one.actions, one.policy, one.weights, one.cooldowns) for one in compiled.lists]
    list_start, list_bytes = joined([msgspec.msgpack.encode(one) for one in lists])
    ask_start = np.cumsum([0, *map(len, compiled.asks)], dtype=np.uint32)
    asks = np.array([number for each in compiled.asks for number in each], np.uint32)
    found = (
        rule_start, rule_bytes, compiled.list_of, list_start, list_bytes, compiled.cut_start, compiled.cuts,
        compiled.row_start, compiled.rows, ask_start, asks, written,
    )  # fmt: skip
    return dict(zip(PARTS, found))


def _relative(source: str, base: Path) -> str:
    with suppress(ValueError):
        return os.path.relpath(source, base) if source else ""
    return source


def _source(path: str, base: Path) -> SourceMeta:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise RuleError(f"{path}: cannot be read: {error.strerror}; name an existing file") from None
    return SourceMeta(_relative(path, base), digest_of(data))


def read_pack(path: str | os.PathLike[str], sources: Sequence[str] | None = None) -> RulePack:
    """Read a pack from a file; raise a RuleError if it is missing, damaged, newer, or made from other sources.

    Parameters
    ----------
    sources : the files it must have been made from, with their present contents; None skips this check.
    """
    name = file_path(path)
    folder = Path(name).parent
    try:
        file = arrayfile.read(name, KIND, VERSION, PackMeta)
    except CellFileError as error:
        raise RuleError(f"{str(error).rpartition('; ')[0]}; delete it, it will be rebuilt from the rules") from None
    if sources is not None and file.meta.sources != [_source(one, folder) for one in sources]:
        raise RuleError(f"{name}: the pack was made from other rules; delete it, it will be rebuilt from the rules")
    return RulePack(file, name, folder)


def open_rules(*paths: str | os.PathLike[str], cache: bool = True) -> RulePack:
    """Return the compiled rules of files and folders, from their pack if it is current, else compiled now.

    Parameters
    ----------
    cache : use the pack in the (first) folder, and write it if it is missing or outdated. A link, or a file that is
        not a pack, is neither read nor replaced.

    Raises
    ------
    RuleFileError
        The rules have faults; `faults` lists all of them.
    """
    first = Path(file_path(paths[0])) if paths else Path()
    folder = first if first.is_dir() else first.parent
    target = folder / PACK_NAME
    cache = cache and _is_ours(target)
    if cache:
        with suppress(RuleError):
            return read_pack(target, rule_files(*paths))
    database, documents = read_documents(*paths)
    data = pack_bytes(database, {document.source: document.digest for document in documents}, folder)
    if cache:
        with suppress(InputError):  # Read-only folders work without a pack.
            atomic_write(target, data, follow=False)
    file = arrayfile.decode(data, KIND, VERSION, PackMeta, source=str(target))
    return RulePack(file, str(target), folder)


def _is_ours(target: Path) -> bool:
    """Return whether a pack may be written here: never over a link or any file that is not a pack."""
    try:
        mode = target.lstat().st_mode
    except FileNotFoundError:
        return True
    except OSError:
        return False
    if not stat.S_ISREG(mode):
        return False
    try:
        with target.open("rb") as file:
            return arrayfile.MAGIC.startswith(file.read(len(arrayfile.MAGIC)))
    except OSError:
        return False
