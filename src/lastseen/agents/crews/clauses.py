"""Clauses: conditions put together as roles write them.

::

    [sees_target, {can_reach: {metres: 20}}]        # a list: all of them
    {any: [is_hurt, {not: sees_target}]}            # any, all, not
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ...errors import BehaviourError
from .words import Word, known_word

__all__ = ["Clause", "read_clause"]

Form = Literal["all", "any", "not", "word"]
Answer = tuple[bool, str]


@dataclass(frozen=True)
class Clause:
    """One condition, or several put together."""

    form: Form
    parts: tuple[Clause, ...] = ()
    word: Word | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def holds(self, *about: Any) -> Answer:
        """Does it hold for a mind, and a member where it is about one? With the reason of the part that decided."""
        if self.word is not None:
            answer = self.word.function(*about, **self.parameters)
            return answer if isinstance(answer, tuple) else (bool(answer), self.word.name.replace("_", " "))
        if self.form == "not":
            held, why = self.parts[0].holds(*about)
            return not held, f"not: {why}" if held else why
        wanted, reasons = self.form == "any", []
        for part in self.parts:
            held, why = part.holds(*about)
            if held is wanted:
                return held, why
            reasons.append(why)
        return not wanted, "; ".join(why for why in reasons if why)

    def words(self) -> Iterator[Word]:
        """Yield every word in it."""
        if self.word is not None:
            yield self.word
        for part in self.parts:
            yield from part.words()

    def possible(self, can: Callable[[Word], bool]) -> bool:
        """Can it ever hold, where `can` says of single words whether they can?"""
        if self.word is not None:
            return can(self.word)
        if self.form == "not":
            return True
        return (all if self.form == "all" else any)(part.possible(can) for part in self.parts)

    def contradiction(self) -> str:
        """Return which word is wanted and not wanted at once; empty: none."""
        if self.form == "all":
            wanted = [part for part in self.parts if part.form == "word"]
            refused = [part.parts[0] for part in self.parts if part.form == "not"]
            for part in wanted:
                if any(_same(part, other) for other in refused) and part.word is not None:
                    return part.word.name
        found = [part.contradiction() for part in self.parts] if self.form != "not" else []
        if self.form == "any":
            return found[0] if found and all(found) else ""
        return next((word for word in found if word), "")


def _same(one: Clause, other: Clause) -> bool:
    return one.word is not None and one.word is other.word and dict(one.parameters) == dict(other.parameters)


def read_clause(given: Any, table: Mapping[str, Word], what: str) -> Clause:
    """Return the clause a file writes; `table` holds the words it may use, `what` they are."""
    if given is None or given == []:
        return Clause("all")
    if isinstance(given, list | tuple):
        return Clause("all", tuple(read_clause(part, table, what) for part in given))
    if isinstance(given, str):
        word = known_word(table, given, what)
        return Clause("word", word=word, parameters=word.checked(None))
    if isinstance(given, Mapping) and len(given) == 1:
        name, body = next(iter(given.items()))
        if name in ("all", "any"):
            if not isinstance(body, list | tuple) or not body:
                raise BehaviourError(f"{name!r} holds a list of conditions, not {body!r}")
            return Clause("any" if name == "any" else "all", tuple(read_clause(part, table, what) for part in body))
        if name == "not":
            return Clause("not", (read_clause(body, table, what),))
        word = known_word(table, name, what)
        return Clause("word", word=word, parameters=word.checked(body))
    raise BehaviourError(f"{given!r} is no condition; give a word, a word with its parameters, or all, any, not")
