"""Readers of rules: one or more YAML, TOML and JSON files to one database, reporting all faults at once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ....checks import file_path, instance_of
from ....errors import RuleError
from ....textfile import FORMS, Document, TextFileError, convert_valid, parse, read
from ..language.faults import RuleFault, RuleFileError, faults_of
from ..language.lines import LANGUAGE, line_faults
from ..language.resolution import CHANCE, chance_fault, sides_of
from ..language.rule import Database, Handler, LineSettings, Memory, Rule, RuleCondition, VariableSpec, parse_condition
from .file_format import (
    PATH,
    FileText,
    HandlerText,
    LineText,
    MemoryText,
    PlainType,
    RuleText,
    VariableText,
    actions_of,
    conditions_of,
)

MOST_BYTES = 1 << 23
"""Size limit of one file."""

Steps = tuple[str | int, ...]

LINE_KEYS = frozenset(LineText.__struct_fields__)
"""Keys of a line that are settings; all others are languages."""


def rule_files(*paths: str | os.PathLike[str]) -> list[str]:
    """Return the files of a database: the given files, and all .yaml, .toml and .json files in the given folders.

    Raise a RuleFileError if a folder contains no rule files.
    """
    found: dict[str, str] = {}  # Keyed by normalised path, so that no file is read twice.
    for path in paths:
        name = file_path(path)
        if not Path(name).is_dir():
            found.setdefault(os.path.normpath(name), name)
            continue
        inside = sorted(str(each) for each in Path(name).rglob("*") if _is_rule_file(each, Path(name)))
        if not inside:
            what = f"no rule files in this folder; rules are stored in {', '.join(FORMS)} files"
            raise RuleFileError([RuleFault(name, 0, "", "", what)])
        for one in inside:
            found.setdefault(os.path.normpath(one), one)
    return list(found.values())


def _is_rule_file(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return path.suffix.lower() in FORMS and not hidden and not path.name.endswith(".schema.json") and path.is_file()


def read_rules(*paths: str | os.PathLike[str]) -> Database:
    """Read files, or all files of folders, into one database.

    Raises
    ------
    RuleFileError
        The rules have faults; `faults` lists all of them with file, line and rule.
    """
    return read_documents(*paths)[0]


def read_documents(*paths: str | os.PathLike[str]) -> tuple[Database, list[Document]]:
    """Return the database and the contents of each file. See `read_rules`."""
    files = rule_files(*paths)
    if not files:
        raise RuleError("no rule files given; name a file or a folder")
    reading, documents = _Reading(), []
    for name in files:
        try:
            documents.append(read(name, most_bytes=MOST_BYTES))
        except TextFileError as error:
            reading.unreadable(error)
            continue
        reading.take(documents[-1])
    return reading.database(file_path(paths[0])), documents


def parse_rules(text: str, form: str = "yaml", *, source: str = "rules") -> Database:
    """Return the database of a single text; `form` is "yaml", "toml" or "json". See `read_rules`."""
    reading = _Reading()
    try:
        reading.take(parse(text, form, source=source))
    except TextFileError as error:
        reading.unreadable(error)
    return reading.database(source)


def combined_rules(documents: Iterable[Document], *, source: str = "rules") -> Database:
    """Return the combined database of documents from any source. See `read_rules`."""
    reading = _Reading()
    for document in documents:
        reading.take(instance_of(document, Document, "document", "give a document from lastseen.textfile"))
    return reading.database(source)


@dataclass
class _Reading:
    """Everything read so far, and its faults."""

    variables: dict[str, VariableSpec] = field(default_factory=dict)
    handlers: dict[str, Handler] = field(default_factory=dict)
    lines: dict[str, dict[str, str]] = field(default_factory=dict)
    settings: dict[str, LineSettings] = field(default_factory=dict)
    faults: list[RuleFault] = field(default_factory=list)
    homes: dict[tuple[str, str], tuple[Document, Steps]] = field(default_factory=dict)
    places: dict[tuple[str, int], int] = field(default_factory=dict)
    lacks_file: bool = False

    def fault(
        self, error: TextFileError, handler: str = "", rule: str = "", kind: str = "form", bare: str = ""
    ) -> None:
        self.faults.append(RuleFault(error.source, error.line, handler, rule, error.what, kind, bare=bare))

    def unreadable(self, error: TextFileError) -> None:
        """Note a file that cannot be read at all: what it declares is unknown."""
        self.lacks_file = True
        self.fault(error)

    def convert(self, document: Document, kind: Any, path: Steps, handler: str = "", rule: str = "") -> Any:
        """Convert a part of a document to a type; record a fault for each invalid value and leave these out.

        Return None if what remains is not enough.
        """
        found, errors = convert_valid(document, kind, path)
        for error in errors:
            self.fault(error, handler, rule)
        return found

    def fresh(self, document: Document, group: str, name: str) -> bool:
        """Return whether this name is new in its group; a duplicate is recorded as a fault."""
        first = self.homes.get((group, name))
        if first is None:
            self.homes[group, name] = (document, (group, name))
            return True
        source, line = first[0].source, first[0].line(first[1])
        places = (f"at {source}:{line}", f"in {source}")
        what, bare = (f"{group[:-1]} {name!r} already exists, {place}; keep one of them" for place in places)
        self.fault(document.error((group, name), what), kind="duplicate", bare=bare)
        return False

    def take(self, document: Document) -> None:
        """Add the contents of a file."""
        given: FileText | None = self.convert(document, FileText, ())
        if given is None:
            return
        for path in given.variables:
            if self.fresh(document, "variables", path):
                self.variable(document, path)
        for name in given.handlers:
            if self.fresh(document, "handlers", name):
                self.handler(document, name)
        for name in given.lines:
            if self.fresh(document, "lines", name):
                self.line(document, name)

    def variable(self, document: Document, path: str) -> None:
        place: Steps = ("variables", path)
        if not PATH.fullmatch(path):
            what = f"{path[:60]!r} is not a path; write names separated by dots, such as npc.health"
            return self.fault(document.error(place, what))
        given = self.convert(document, PlainType | VariableText, place)
        if path.startswith(CHANCE) and given is not None:
            kind = given if isinstance(given, str) else given.type or "enum"
            wrong = chance_fault(path, kind)
            if wrong:
                return self.fault(document.error(place, wrong))
        if isinstance(given, str):
            self.variables[path] = VariableSpec(path, given)  # type: ignore[arg-type]
        elif given is not None:
            wrong = _variable_fault(given)
            if wrong:
                return self.fault(document.error(place, f"{path}: {wrong}"))
            self.variables[path] = VariableSpec(path, given.type or "enum", tuple(given.enum or ()), given.about)
        return None

    def line(self, document: Document, name: str) -> None:
        place: Steps = ("lines", name)
        given = self.convert(document, str | dict[str, Any], place)
        self.lines[name] = {}
        if given is None:
            return
        given = {"en": given} if isinstance(given, str) else given
        own, errors = convert_valid(document, LineText, place) if LINE_KEYS & given.keys() else (None, [])
        if own is not None:
            self.settings[name] = LineSettings(own.tags, own.weight, own.cooldown, own.about)
        texts = {key: text for key, text in given.items() if key not in LINE_KEYS}
        sound = {key: text for key, text in texts.items() if isinstance(text, str) or not LANGUAGE.fullmatch(key)}
        errors += [error for key in texts.keys() - sound for error in convert_valid(document, str, (*place, key))[1]]
        if sound or not texts:
            wrong = line_faults(sound, LINE_KEYS)
            errors += [document.error((*place, key) if key else place, what) for key, what in wrong]
        self.lines[name] = sound
        for error in errors:
            self.fault(document.error(error.path, f"line {name!r}: {error.what}"), kind="line")

    def handler(self, document: Document, name: str) -> None:
        place: Steps = ("handlers", name)
        given: HandlerText | None = self.convert(document, HandlerText, place, name)
        self.handlers[name] = Handler(name)
        if given is None:
            return
        names: dict[str, int] = {}
        rules: list[Rule] = []
        for number in range(len(given.rules)):
            rule = self.rule(document, name, number)
            if rule is None:
                continue
            if rule.name in names:
                places = (f", in line {names[rule.name]}", "")
                what, bare = (f"its name is already used{place}; rename one" for place in places)
                self.faults.append(RuleFault(rule.source, rule.line, name, rule.name, what, "duplicate", bare=bare))
            names.setdefault(rule.name, rule.line)
            self.places[name, len(rules)] = number
            rules.append(rule)
        self.handlers[name] = Handler(name, tuple(rules), given.order, given.policy, given.cooldown)

    def rule(self, document: Document, handler: str, number: int) -> Rule | None:
        place: Steps = ("handlers", handler, "rules", number)
        raw = document.value["handlers"][handler]["rules"][number]
        label = str(raw.get("name", "")) if isinstance(raw, dict) else ""
        label = label or f"number {number + 1}"
        given: RuleText | None = self.convert(document, RuleText, place, handler, label)
        if given is None:
            return None
        if "say" in raw and "do" in raw:
            self.fault(document.error((*place, "do"), "has both `say` and `do`; keep one"), handler, label)
        conditions = self.conditions(document, (*place, "when"), given, handler)
        remember = tuple(
            Memory(path, kept.value, kept.seconds) if isinstance(kept, MemoryText) else Memory(path, kept)
            for path, kept in given.remember.items()
        )
        return Rule(
            given.name, conditions, actions_of(given), given.policy, given.priority, given.cooldown, given.tier,
            remember, given.then, document.source, document.line(place), "do" not in raw,
        )  # fmt: skip

    def conditions(self, document: Document, place: Steps, given: RuleText, handler: str) -> tuple[RuleCondition, ...]:
        found: list[RuleCondition] = []
        for number, text in enumerate(conditions_of(given.when)):
            try:
                found.append(parse_condition(text))
            except RuleError as error:
                self.fault(document.error((*place, number), str(error)), handler, given.name, "condition")
        for one in found:
            sides = sides_of(one.variable)
            if sides is not None and one.variable not in self.variables:
                self.variables[one.variable] = VariableSpec(one.variable, "int" if sides else "float")
        return tuple(found)

    def line_of(self, handler: str, number: int, path: Steps) -> int:
        """Return the line of a part of a rule."""
        document, place = self.homes["handlers", handler]
        place = (*place, "rules", self.places[handler, number])
        written = document.value["handlers"][handler]["rules"][place[-1]]
        if path[0] == "say" and "do" in written:
            path = ("do", *path[1:])
        return document.line((*place, *path))

    def line_places(self) -> dict[str, tuple[str, int]]:
        """Return the file and line of every line of speech."""
        homes = {name: self.homes["lines", name] for name in self.lines}
        return {name: (document.source, document.line(place)) for name, (document, place) in homes.items()}

    def database(self, source: str) -> Database:
        """Return the database, or raise all faults found."""
        found = Database(self.variables, self.handlers, source, self.lines, self.line_places(), self.settings)
        # Do not report uses of a variable whose own declaration has a fault.
        faulty = tuple(f"no variable {name!r}" for group, name in self.homes if group == "variables")
        more = [fault for fault in faults_of(found, self.line_of) if not fault.what.startswith(faulty)]
        self.faults += [fault for fault in more if not (self.lacks_file and fault.kind.startswith("unknown "))]
        if self.faults:
            raise RuleFileError(sorted(self.faults, key=lambda fault: (fault.source, fault.line)), found)
        return found


def _variable_fault(given: VariableText) -> str:
    if (given.type is None) == (given.enum is None):
        return "give either `type` or `enum`"
    if given.enum is not None:
        if not given.enum:
            return "`enum` is empty; list its names"
        if len(set(given.enum)) < len(given.enum):
            return "`enum` lists a name twice; keep one"
    return ""
