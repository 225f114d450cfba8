"""XML files as elements with their lines, and the files they include; all within limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

from .definition import TreeFault, TreeFileError

MOST_BYTES = 1 << 20
MOST_FILES = 100
DEEPEST = 100
MOST_ELEMENTS = 20_000
NOTES = ("TreeNodesModel",)
"""Elements in which text is a comment: BehaviorTree.CPP describes a port in the text of its element."""


@dataclass
class Element:
    """One element of an XML text and the line it begins on."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)


class _XmlFault(Exception):
    """A fault of an XML text and its line."""

    def __init__(self, line: int, what: str):
        self.line, self.what = line, what
        super().__init__(what)


def _parse_xml(text: str) -> Element:
    """Return the root element of a text, or raise an _XmlFault; depth and number of elements are limited.

    Document types are rejected: entities declared there can make a small file fill the memory or read other files.
    """
    top: list[Element] = []
    open_: list[Element] = []
    parser = expat.ParserCreate("utf-8")
    count = 0

    def refuse(what: str) -> NoReturn:
        raise _XmlFault(parser.CurrentLineNumber, what)

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(open_) >= DEEPEST or count > MOST_ELEMENTS:
            refuse(f"too many elements; at most {MOST_ELEMENTS}, {DEEPEST} deep, are allowed")
        element = Element(tag, attributes, parser.CurrentLineNumber)
        (open_[-1].children if open_ else top).append(element)
        open_.append(element)

    def end(tag: str) -> None:  # noqa: ARG001
        open_.pop()

    def characters(data: str) -> None:
        if data.strip() and not any(element.tag in NOTES for element in open_):
            refuse(f"text {data.strip()[:30]!r} between elements; a tree has only elements and attributes")

    def forbidden(*given: Any) -> None:  # noqa: ARG001
        refuse("a document type or entity is declared; remove it")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = forbidden
    parser.EntityDeclHandler = forbidden
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        what = f"malformed XML: {expat.ErrorString(error.code)}; correct it here or above"
        raise _XmlFault(error.lineno, what) from None
    except UnicodeEncodeError:
        raise _XmlFault(0, "incomplete character; save as UTF-8") from None
    return top[0]


def read_text(source: str) -> str:
    """Return the text of a file, or raise a TreeFileError."""
    try:
        with Path(source).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise TreeFileError([TreeFault(source, 0, "", f"is larger than {MOST_BYTES} bytes; split it")])
        return data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        if isinstance(error, TreeFileError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise TreeFileError([TreeFault(source, 0, "", f"cannot be read: {reason}; give an existing file")]) from None


def root_of(text: str, source: str) -> Element:
    """Return the root element of a text, or raise a TreeFileError."""
    try:
        return _parse_xml(text)
    except _XmlFault as fault:
        raise TreeFileError([TreeFault(source, fault.line, "", fault.what)]) from None


def included_files(root: Element, source: str, folder: Path | None, faults: list[TreeFault]) -> dict[str, Element]:
    """Return the files that a file includes, directly or not, each once, by name; faults are added to `faults`.

    `folder` is the folder of the file, None for a text.
    """
    found: dict[str, Element] = {}
    waiting = [(root, source, folder)]
    known = set() if folder is None else {Path(source).resolve()}
    while waiting:
        top, source, place = waiting.pop(0)
        for element in [each for each in top.children if each.tag == "include"]:
            name = element.attributes.get("path", "")
            if place is None or not name or "ros_pkg" in element.attributes:
                advice = "give the path of a file, and no ros_pkg"
                why = "a text has no folder; read a file" if place is None else advice
                faults.append(TreeFault(source, element.line, "", f"<include> cannot be followed: {why}"))
                continue
            path = place / name
            try:
                if path.resolve() in known:
                    continue
                known.add(path.resolve())
                if len(known) > MOST_FILES:
                    what = f"more than {MOST_FILES} files; merge some"
                    raise TreeFileError([TreeFault(source, element.line, "", what)])
                found[str(path)] = root_of(read_text(str(path)), str(path))
            except (TreeFileError, OSError, ValueError, RuntimeError) as error:
                words = error.faults if isinstance(error, TreeFileError) else [str(error)]
                what = f"<include> of {name!r} fails: {words[0]}"
                faults.append(TreeFault(source, element.line, "", what))
                continue
            waiting.append((found[str(path)], str(path), path.parent))
    return found
