"""Read XML safely: elements with their lines; no document type, no entities, bounded depth and count."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.parsers import expat

DEEPEST = 100
MOST_ELEMENTS = 20_000
NOTES = ("TreeNodesModel",)
"""Elements in which text is a note: BehaviorTree.CPP writes what a port is for as the text of the port."""


@dataclass
class Element:
    """One element, its attributes, its children and the line it begins in."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)


class XmlFault(Exception):
    """What is wrong with a text, and in which line."""

    def __init__(self, line: int, what: str):
        self.line, self.what = line, what
        super().__init__(what)


def parse_xml(text: str) -> Element:
    """Return the outermost element of a text, or raise an XmlFault.

    Document types are refused: entities declared there can make a small file fill the memory or read others.
    """
    top: list[Element] = []
    open_: list[Element] = []
    parser = expat.ParserCreate("utf-8")
    count = 0

    def refuse(what: str) -> NoReturn:
        raise XmlFault(parser.CurrentLineNumber, what)

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
        raise XmlFault(error.lineno, f"this is not sound XML: {expat.ErrorString(error.code)}") from None
    except UnicodeEncodeError:
        raise XmlFault(0, "half a character; save as UTF-8") from None
    return top[0]
