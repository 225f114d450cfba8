"""Ids of lines: give every line that is written directly in a rule one, and change lines of rule files in place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ....checks import file_path
from ....errors import RuleError
from ....files import write_all
from ....textfile import FORMS, Document
from ..language.lines import LANGUAGE
from .read import combined_rules, read_documents
from .revision import revise_rules

_NO_WORD = re.compile(r"[^a-z0-9]+")


def give_ids(*paths: str, language: str | None = None) -> dict[str, int]:
    """Give every line that is written in a rule an id and a place under `lines`; return how many, by file.

    A text keeps its id for ever, whatever becomes of it. Texts that are said in several places get one id.

    Parameters
    ----------
    language : of the texts; default: the first language of the other lines, else en.

    Raises
    ------
    RuleError
        The rules have faults, the language has no code, or a file cannot be changed in place; nothing is written then.
    """
    database, documents = read_documents(*paths)
    known = next((name for texts in database.lines.values() for name in texts), "en")
    language = known if language is None else language
    if not LANGUAGE.fullmatch(language):
        raise RuleError(f"{language[:20]!r} is not a language code; write one such as en or pt-BR")
    ids: dict[str, str] = {}
    taken = set(database.lines)
    values: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for document in documents:
        value, fresh = _with_ids(document.value, taken, ids)
        if value != document.value:
            counts[document.source] = len(fresh)
            values[document.source] = _with_lines(value, {name: {language: text} for name, text in fresh.items()})
    write_values(documents, values)
    return counts


def _with_ids(value: dict[str, Any], taken: set[str], ids: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a file's values with ids in place of texts, and the new texts by id."""
    fresh: dict[str, str] = {}
    handlers: dict[str, Any] = {}
    for name, handler in value.get("handlers", {}).items():
        rules = []
        for rule in handler.get("rules", []):
            given = rule.get("say")
            texts = given if isinstance(given, list) else [given]
            new = []
            for text in texts:
                if isinstance(text, str) and text not in taken and text not in ids:
                    ids[text] = free_id(name, rule["name"], taken)
                    fresh[ids[text]] = text
                new.append(ids.get(text, text) if isinstance(text, str) else text)
            rules.append({**rule, "say": new if isinstance(given, list) else new[0]} if "say" in rule else rule)
        handlers[name] = {**handler, "rules": rules} if "rules" in handler else handler
    return ({**value, "handlers": handlers} if "handlers" in value else value), fresh


def _with_lines(value: dict[str, Any], lines: Mapping[str, Any]) -> dict[str, Any]:
    return {**value, "lines": {**value.get("lines", {}), **lines}} if lines else value


def free_id(handler: str, rule: str, taken: set[str]) -> str:
    """Return an unused id for a line of a rule and add it to `taken`: `lose.at_a_door.2`."""
    stem = f"{_word(handler.split('.')[-1])}.{_word(rule)}"
    number = 1
    while f"{stem}.{number}" in taken:
        number += 1
    taken.add(f"{stem}.{number}")
    return f"{stem}.{number}"


def _word(text: str) -> str:
    word = _NO_WORD.sub("_", text.lower())[:40].strip("_") or "line"
    return word if word[0].isalpha() else f"n{word}"


def write_values(documents: Iterable[Document], values: Mapping[str, dict[str, Any]]) -> None:
    """Write the new values of rule files, by file, all or none; YAML keeps every other byte.

    Raise a RuleError if the new rules have faults, or a file is TOML and cannot be changed in place.
    """
    documents = list(documents)
    combined_rules([Document(one.source, values.get(one.source, one.value), one.lines) for one in documents])
    write_all({Path(source): _new_text(source, value).encode() for source, value in values.items()})


def _new_text(source: str, value: dict[str, Any]) -> str:
    form = FORMS[Path(file_path(source)).suffix.lower()]
    if form == "toml":
        raise RuleError(f"{source}: TOML cannot be changed in place; convert it to YAML: lastseen rules convert")
    if form == "json":
        return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    data = Path(source).read_bytes().decode()  # The reader has decoded it before; line ends stay as they are.
    mark = "\ufeff" if data.startswith("\ufeff") else ""
    return mark + revise_rules(data.removeprefix(mark), value, {}, source=source)
