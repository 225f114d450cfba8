"""Lines of speech: text by language with placeholders, `Where did {name} go?`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ....checks import table_of, text_of
from ....errors import RuleError, did_you_mean

LINE_ID = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)+")
"""Form of a line's id: words and numbers separated by dots."""

LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
"""Form of a language's code: en, pt-BR."""
_PIECE = re.compile(r"\{\{|\}\}|\{([A-Za-z_]\w*)\}|[{}]")
_NO_NAME = re.compile(r"\{[^{}]+\}")
_VARIANTS = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
_TORN = re.compile(r"\[[^\]]*\||\|[^\[]*\]")


def placeholders(text: str) -> tuple[str, ...]:
    """Return the placeholders of a text, each once, in order; `{{` and `}}` are literal braces.

    Raise a RuleError if a brace is unpaired or encloses no name, or the brackets of variants are.
    """
    if "|" in text and _TORN.search(_VARIANTS.sub("", text)):
        raise RuleError(f"{text[:60]!r} has variants in unpaired or nested brackets; write [one|another]")
    names: dict[str, None] = {}
    for piece in _PIECE.finditer(text):
        if piece[1]:
            names[piece[1]] = None
        elif len(piece[0]) == 1:
            if no_name := _NO_NAME.match(text, piece.start()):
                raise RuleError(f"{no_name[0]} in {text[:60]!r} is not a placeholder; write a word such as {{name}}")
            raise RuleError(f"{text[:60]!r} has a lone {piece[0]!r}; write {{name}}, or {piece[0] * 2} for a brace")
    return tuple(names)


def line_faults(texts: Mapping[str, str], settings: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the texts of a line: the language (empty: none), and what.

    `settings` are the other keys of a line, to suggest one that is misspelt.
    """
    if not texts:
        yield "", "has no text; write one, such as `en: Who is there?`"
    first: tuple[str, tuple[str, ...]] = ("", ())
    for language, text in texts.items():
        if not LANGUAGE.fullmatch(language):
            hint = did_you_mean(language, settings)
            yield language, f"{language[:20]!r} is not a language code{hint}; write one such as en or pt-BR"
            continue
        if not text.strip():
            yield language, f"its text in {language} is empty; write it, or leave the language out"
            continue
        try:
            found = placeholders(text)
        except RuleError as error:
            yield language, str(error)
            continue
        first = first if first[0] else (language, found)
        if set(found) != set(first[1]):
            others = f"{first[0]} has {_named(first[1])}"
            yield language, f"{language} has placeholders {_named(found)}, {others}; use the same in both"


def _named(names: tuple[str, ...]) -> str:
    return ", ".join(f"{{{name}}}" for name in names) or "none"


def line_of(lines: Mapping[str, Mapping[str, str]], action: Any) -> Mapping[str, str] | None:
    """Return the line whose id an action is, or None."""
    return lines.get(action) if isinstance(action, str) else None


def spoken(
    action: Any,
    lines: Mapping[str, Mapping[str, str]],
    values: Mapping[str, object] | None = None,
    *,
    language: str = "en",
    pick: Callable[[int], int] | None = None,
) -> str:
    """Return the text to say for an action: the line with this id, or the action itself, with `values` filled in.

    A missing language falls back on its base language ("de" for "de-AT"), then on the first one written. Of variants
    such as `[Halt|Stop]`, `pick(2)` returns the number of the one to say; by default it is the first.

    Raises
    ------
    RuleError
        The action is not text, or a placeholder has no value.
    """
    if not isinstance(action, str):
        raise RuleError(f"{action!r} cannot be said; give text or the id of a line")
    texts = line_of(table_of(lines, "lines"), action)
    text, language = action, text_of(language, "language")
    if texts:
        wider = language.split("-")[0]
        text = texts.get(language) or texts.get(wider) or next(iter(texts.values()))
    given = table_of(values, "values")

    def fill(piece: re.Match[str]) -> str:
        if not piece[1]:
            return piece[0][0]
        if piece[1] not in given:
            hint = did_you_mean(piece[1], given)
            raise RuleError(f"{text[:60]!r} has the placeholder {{{piece[1]}}}{hint}; give a value for it")
        return str(given[piece[1]])

    placeholders(text)
    return _PIECE.sub(fill, _VARIANTS.sub(lambda found: _picked(found[1].split("|"), pick), text))


def _picked(variants: list[str], pick: Callable[[int], int] | None) -> str:
    return variants[pick(len(variants)) if pick is not None else 0]
