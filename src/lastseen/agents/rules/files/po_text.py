"""Lines as a PO file of gettext, for the tools of translators: one entry per line, with its id as the context."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ....errors import RuleError, did_you_mean
from ..language.faults import RuleFault, RuleFileError
from ..language.lines import LANGUAGE, placeholders
from ..language.rule import Database, LineSettings
from .line_tables import LineChange, languages_of, require_ids, speakers_of

_WORD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+(".*")')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_SIGNS = {value: f"\\{name}" for name, value in _ESCAPES.items()}


@dataclass
class _Entry:
    line: int
    is_fuzzy: bool = False
    parts: dict[str, str] = field(default_factory=dict)


def lines_po(database: Database, language: str, *, source_language: str | None = None) -> str:
    """Return all lines as a PO file for translation into a language.

    Parameters
    ----------
    source_language : language to translate from; default: the first of each line that is another one.

    Raises
    ------
    RuleError
        A line has no id, or no text to translate from.
    """
    require_ids(database)
    languages_of(database, language, *([] if source_language is None else [source_language]))
    head = {
        "Project-Id-Version": "lastseen rules", "Language": language, "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8", "Content-Transfer-Encoding": "8bit",
    }  # fmt: skip
    said = speakers_of(database)
    entries = [_keyed("msgid", "") + _keyed("msgstr", "".join(f"{key}: {value}\n" for key, value in head.items()))]
    for name, texts in database.lines.items():
        given = [one for one in texts if one != language] or list(texts)
        source = given[0] if source_language is None else source_language
        if source not in texts:
            raise RuleError(f"line {name!r} has no text in {source} to translate from; write it")
        entries.append(_entry(database, name, said[name], texts[source], texts.get(language, "")))
    return "\n".join(entries)


def _entry(database: Database, name: str, said: list[str], text: str, translated: str) -> str:
    own = database.line_settings.get(name, LineSettings())
    notes = [*said, *([own.about] if own.about else []), *(f"{tag}: {value}" for tag, value in own.tags.items())]
    lines = [f"#. {' '.join(note.split())}\n" for note in notes]
    source, line = database.line_places.get(name, ("", 0))
    if line and not re.search(r"\s", source):
        lines.append(f"#: {source}:{line}\n")
    if placeholders(text):
        lines.append("#, python-brace-format\n")
    return "".join(lines) + _keyed("msgctxt", name) + _keyed("msgid", text) + _keyed("msgstr", translated)


def _keyed(word: str, text: str) -> str:
    pieces = re.findall(r"[^\n]*\n|[^\n]+", text) if "\n" in text.rstrip("\n") else [text]
    quoted = [f'"{re.sub(_SPECIAL, lambda sign: _escaped(sign[0]), piece)}"\n' for piece in pieces]
    return f"{word} {quoted[0]}" if len(quoted) == 1 else f'{word} ""\n' + "".join(quoted)


_SPECIAL = re.compile(r'[\x00-\x1f"\\\x7f\x85\u2028\u2029]')


def _escaped(sign: str) -> str:
    # A few separators end a line for some tools and cannot be escaped in UTF-8 files, so they stay.
    return _SIGNS.get(sign) or (f"\\{ord(sign):03o}" if ord(sign) < 0x80 else sign)


def read_po(
    text: str, database: Database, *, language: str | None = None, source: str = "lines.po"
) -> tuple[dict[str, LineChange], list[str]]:
    """Return the translations of a PO file by the ids of their lines, and what was passed over: file, line, reason.

    Untranslated, fuzzy and obsolete entries are passed over, and those whose original has changed since.

    Parameters
    ----------
    language : of the translations; default: that of the file's header.

    Raises
    ------
    RuleFileError
        The text is no PO file, an id is missing, unknown or there twice, or the language is unknown, with lines.
    """
    faults: list[RuleFault] = []
    found: dict[str, LineChange] = {}
    passed: list[str] = []
    for entry in _entries(text.removeprefix("\ufeff"), source, faults):
        name, original, given = (entry.parts.get(word, "") for word in ("msgctxt", "msgid", "msgstr"))
        if "msgctxt" not in entry.parts and not original:
            language = language or _header_language(given)
            continue
        what = _entry_fault(entry, database, found)
        if what or language is None:
            faults.append(RuleFault(source, entry.line, "", "", what or _NO_LANGUAGE, "table"))
            if language is None:
                break
            continue
        found[name] = LineChange(entry.line, {language: given})
        others = [one for code, one in database.lines[name].items() if code != language] or [original]
        if not given or entry.is_fuzzy or original not in others:
            found[name].texts = {}
            why = "is marked fuzzy" if entry.is_fuzzy else "its original has changed; export again" if given else ""
            passed += [f"{source}:{entry.line}: line {name!r} {why}"] if why else []
    if language is not None and not LANGUAGE.fullmatch(language):
        faults.append(
            RuleFault(source, 1, "", "", f"{language[:20]!r} is not a language code; give --language", "table")
        )
    if faults:
        raise RuleFileError(faults)
    return found, passed


_NO_LANGUAGE = "the header before it names no language; add `Language: de`, or give --language"


def _header_language(text: str) -> str | None:
    found = re.search(r"(?m)^Language:[ \t]*(\S+)", text)
    return found[1].replace("_", "-") if found else None


def _entry_fault(entry: _Entry, database: Database, found: dict[str, LineChange]) -> str:
    if "msgstr" not in entry.parts or "msgid" not in entry.parts:
        return "the entry is incomplete, or has plurals; it needs msgctxt, msgid and msgstr"
    if "msgctxt" not in entry.parts:
        return "the entry has no msgctxt, which is the id of its line; keep it when you translate"
    name = entry.parts["msgctxt"]
    if name not in database.lines:
        return f"no line {name[:60]!r}{did_you_mean(name, database.lines)}; ids are those of the rules"
    return f"line {name!r} is already in line {found[name].line}; keep one" if name in found else ""


def _entries(text: str, source: str, faults: list[RuleFault]) -> Iterator[_Entry]:
    """Yield the entries; what is no PO becomes a fault with its line."""
    entry, word = _Entry(1), ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        begins = line.startswith("#") and not line.startswith("#~") and "msgstr" in entry.parts
        begun = _WORD.fullmatch(line)
        if begins or (
            begun and begun[1] in ("msgctxt", "msgid") and (begun[1] in entry.parts or "msgstr" in entry.parts)
        ):
            yield entry
            entry, word = _Entry(number), ""
        if line.startswith("#"):
            entry.is_fuzzy |= line.startswith("#,") and "fuzzy" in re.split(r"[,\s]+", line)
            continue
        if not line:
            continue
        quoted = _QUOTED.fullmatch(begun[2] if begun else line)
        if begun and quoted:
            word = begun[1]
            entry.line = entry.line if entry.parts else number
        what = "" if quoted and word else "is not PO; write msgctxt, msgid or msgstr and a text in quotes"
        if quoted and not what:
            piece, what = _unescaped(quoted[1])
            entry.parts[word] = entry.parts.get(word, "") + piece
        if what:
            faults.append(RuleFault(source, number, "", "", what, "table"))
    if entry.parts:
        yield entry


def _unescaped(text: str) -> tuple[str, str]:
    """Return a text without escapes, and what is wrong with it."""
    wrong = ""

    def sign(found: re.Match[str]) -> str:
        nonlocal wrong
        code = found[1]
        if code in _ESCAPES:
            return _ESCAPES[code]
        if code[0] == "x" and len(code) == 3:
            return chr(int(code[1:], 16))
        if code[0] in "01234567":
            return chr(int(code, 8))
        wrong = f"has the unknown escape \\{code}; write \\\\ for a backslash"
        return ""

    return _ESCAPE.sub(sign, text), wrong
