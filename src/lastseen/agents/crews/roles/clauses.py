"""Clauses: combined conditions as written in roles.

::

    [sees_target, {can_reach: {metres: 20}}]        # a list: all of them
    {any: [is_hurt, {not: sees_target}]}            # any, all, not
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

from ....errors import BehaviourError
from .vocabulary import Word, known_word

Form = Literal["all", "any", "not", "word"]
Answer = tuple[bool, str]
_MOST_TRIED = 12
"""Number of words up to which all combinations of truth values are tried."""


@dataclass(frozen=True)
class Clause:
    """A single condition or a combination of conditions."""

    form: Form
    parts: tuple[Clause, ...] = ()
    word: Word | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def holds(self, *about: Any) -> Answer:
        """Return whether it holds for a mind (and a member, if it concerns one), and the deciding reason."""
        if self.word is not None:
            answer = self.word.function(*about, **self.parameters)
            return answer if isinstance(answer, tuple) else (bool(answer), self.word.name.replace("_", " "))
        if self.form == "not":
            held, why = self.parts[0].holds(*about)
            return not held, f"not: {why}" if held else why
        wanted, reasons = self.form == "any", []
        for part in self.parts:
            held, why = part.holds(*about)
            if bool(held) is wanted:
                return wanted, why
            if why:
                reasons.append(why)
        return not wanted, "; ".join(reasons)

    def refusal(self, mind: Any, member: int) -> str | None:
        """Return why it does not hold for a member, or None if it does. Like `holds`, without reasons for success."""
        if self.form != "all":
            held, why = self.holds(mind, member)
            return None if held else why
        for part in self.parts:
            refused = part.refusal(mind, member)
            if refused is not None:
                return refused
        return None

    def atoms(self) -> Iterator[Clause]:
        """Yield every word in the clause, each with its parameters."""
        if self.word is not None:
            yield self
        for part in self.parts:
            yield from part.atoms()

    def words(self) -> Iterator[Word]:
        """Yield every word in the clause."""
        for atom in self.atoms():
            assert atom.word is not None
            yield atom.word

    def can_hold(self, can: Callable[[Clause], bool] = lambda atom: True) -> bool:  # noqa: ARG005
        """Return whether it can ever hold for one member, where `can` says which words can hold.

        All combinations of truth values are tried. None is left if the clause demands a word and its negation, two
        mutually exclusive words, or a narrow condition without the wider one it implies.
        """
        atoms = {_text(atom): atom for atom in self.atoms()}
        if len(atoms) > _MOST_TRIED:
            return True
        wider = [(one, other) for one in atoms for other in atoms if _implies(atoms[one], atoms[other])]
        free = [text for text, atom in atoms.items() if can(atom)]
        for values in product((False, True), repeat=len(free)):
            held = {text for text, value in zip(free, values) if value}
            groups = [atoms[text].word.apart for text in held if atoms[text].word.apart]  # type: ignore[union-attr]
            if any(one in held and other not in held for one, other in wider):
                continue
            if len(groups) == len(set(groups)) and self._is_true(held):
                return True
        return False

    def _is_true(self, held: Collection[str]) -> bool:
        if self.word is not None:
            return _text(self) in held
        if self.form == "not":
            return not self.parts[0]._is_true(held)
        return (all if self.form == "all" else any)(part._is_true(held) for part in self.parts)

    def narrowest(self) -> Word | None:
        """Return the required word that holds for the fewest members at once, or None if there is no limit."""
        narrow = {_text(atom): atom.word for atom in self.atoms() if atom.word is not None and atom.word.most}
        found = [word for text, word in narrow.items() if not self._can_do_without(text)]
        return min(found, key=lambda word: word.most or 0, default=None)

    def _can_do_without(self, text: str) -> bool:
        """Return whether the clause can hold for a member for which this word does not."""
        return self.can_hold(lambda atom: _text(atom) != text)


def _text(atom: Clause) -> str:
    """Return a key that identifies a word by name and parameters."""
    assert atom.word is not None
    return f"{atom.word.name} {atom.word.filled(atom.parameters)}"


def _implies(one: Clause, other: Clause) -> bool:
    """Return whether one word implies another: the same word with a number that makes it hold more widely."""
    if one.word is None or one.word is not other.word or not one.word.widens:
        return False
    tight, wide = one.word.filled(one.parameters), one.word.filled(other.parameters)
    number = one.word.widens
    return bool(tight[number] < wide[number]) and tight | {number: 0} == wide | {number: 0}


def read_clause(given: Any, table: Mapping[str, Word], what: str) -> Clause:
    """Parse a clause; `table` holds the allowed words, `what` describes them in errors."""
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
                raise BehaviourError(f"{name!r} is {body!r}; give a list of conditions")
            return Clause("any" if name == "any" else "all", tuple(read_clause(part, table, what) for part in body))
        if name == "not":
            return Clause("not", (read_clause(body, table, what),))
        word = known_word(table, name, what)
        return Clause("word", word=word, parameters=word.checked(body))
    raise BehaviourError(f"{given!r} is not a condition; give a word, a word with parameters, or all, any, not")
