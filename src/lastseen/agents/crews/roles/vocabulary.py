"""The vocabulary of roles: conditions on members and crews, scores, places and values; and clauses that combine them.

There is no global list: a program creates its own, includes the shipped words, and passes them to `leaves_with`. A
clause is written in a role as a word, a list (all of its parts), or a table of `any`, `all` or `not`::

    [sees_target, {can_reach: {metres: 20}}]
    {any: [is_hurt, {not: sees_target}]}
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal, TypeVar

import numpy as np

from ....checks import instance_of, table_of, text_of
from ....conventions import Array, Floats
from ....errors import BehaviourError, did_you_mean
from ...behaviour.parameters import Parameter, checked_parameters, parameters_of
from ...behaviour.ports import Input
from ...bodies.combat import AttackKind

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, eq=False)
class Places:
    """Places of a role, one per member.

    Attributes
    ----------
    xyz : (k, 3) metres.
    number : (k,) int64, identifiers that persist over time: a member that stays keeps its number.
    words : descriptions for reasons; may be empty.
    """

    xyz: Floats
    number: Array
    words: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.xyz)

    @classmethod
    def of(cls, xyz: Any, number: Any = None, words: tuple[str, ...] = ()) -> Places:
        """Return places, numbered in order unless `number` is given."""
        where = np.asarray(xyz, np.float64).reshape(-1, 3)
        return cls(where, np.arange(len(where)) if number is None else np.asarray(number, np.int64), words)

    def take(self, rows: Array) -> Places:
        """Return some of the places, by their indices or a bool mask."""
        words = tuple(np.array(self.words, object)[rows].tolist()) if self.words else ()
        return Places(self.xyz[rows], self.number[rows], words)


@dataclass(frozen=True, eq=False)
class Asked:
    """The subject of a score: a role and its places; without places (None) the table has one column."""

    role: str
    places: Places | None = None

    @property
    def count(self) -> int:
        """Number of columns of the score's table."""
        return 1 if self.places is None else len(self.places)


@dataclass(frozen=True)
class Word:
    """One word: its name, function and parameters, and its properties.

    Attributes
    ----------
    says : for a score, `(mind, member, xyz, value) -> str` explains the value; None: no explanation.
    among : for a condition on a member, `(candidate, …) -> bool` with the parameters of the word: whether it can ever
        hold for a potential member (see `Candidate`); None: for any.
    most : for a condition on a member, for how many members of a crew it can hold at once; None: any number.
    apart : group of mutually exclusive conditions on a member, including one condition with different parameters.
    names : parameters that name something, with its type: "role", "marker", "marker kind", "zone", "zone kind",
        "predictor", "state". Scenarios are checked for its existence.
    widens : for a condition on a member, the number that widens it: near within 5 m implies near within 10 m.
    awaits : for a condition on a member, the parameter with the role the member must have had before.
    room : for a word for places, `(level, …) -> int | None` with all parameters of the word: the maximum number of
        places in a level, or in any level if that is None; None: any number.
    """

    name: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    says: Callable[..., str] | None = None
    among: Callable[..., bool] | None = None
    most: int | None = None
    apart: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    widens: str = ""
    awaits: str = ""
    room: Callable[..., int | None] | None = None

    def checked(self, given: Any) -> dict[str, Any]:
        """Return the function's parameters from a table, a single value for the first parameter, or None."""
        if given is None:
            given = {}
        elif not isinstance(given, Mapping):
            if not self.parameters:
                raise BehaviourError(f"{self.name} takes no parameters, but got {given!r}")
            given = {self.parameters[0].name: given}
        for name, value in given.items():
            if isinstance(value, Input):
                raise BehaviourError(f"{name!r} of {self.name} is key {value.key!r}; write its value instead")
        found = checked_parameters(self.parameters, given, self.name)
        return {name: value.value if isinstance(value, Input) else value for name, value in found.items()}

    def filled(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return checked parameters completed by defaults."""
        return {parameter.name: given.get(parameter.name, parameter.default) for parameter in self.parameters}

    def most_places(self, given: Mapping[str, Any], level: Any = None) -> int | None:
        """Return the maximum number of places for checked parameters; None: any number."""
        return None if self.room is None else self.room(level, **self.filled(given))


class RoleWords:
    """Words by purpose.

    Attributes
    ----------
    members : conditions on one member, `(mind, member, …) -> bool`, or a pair of bool and reason.
    crews : conditions on the crew as a whole, `(mind, …) -> bool`, or a pair of bool and reason.
    scores : `(mind, members, asked) -> (members, asked.count)` float64, conventionally 0 … 1; see `Asked`.
    places : `(mind, …) -> Places`.
    values : `(mind, member, xyz) -> value` of a direction; xyz is the member's place, or None.
    agents : `(mind, member) -> int`, the agent a direction is about.
    """

    def __init__(self) -> None:
        self.members: dict[str, Word] = {}
        self.crews: dict[str, Word] = {}
        self.scores: dict[str, Word] = {}
        self.places: dict[str, Word] = {}
        self.values: dict[str, Word] = {}
        self.agents: dict[str, Word] = {}

    def member(
        self,
        function: Function | None = None,
        *,
        name: str = "",
        among: Callable[..., bool] | None = None,
        most: int | None = None,
        apart: str = "",
        names: Mapping[str, str] | None = None,
        widens: str = "",
        awaits: str = "",
    ) -> Any:
        """Add a condition on one member; use as a decorator. For the other arguments, see `Word`."""
        more: dict[str, Any] = {"among": among, "most": most, "apart": apart, "names": table_of(names, "names")}
        more |= {"widens": text_of(widens, "widens"), "awaits": text_of(awaits, "awaits")}
        return self._adder(self.members, "condition on members", 2, function, name, **more)

    def crew(self, function: Function | None = None, *, name: str = "", names: Mapping[str, str] | None = None) -> Any:
        """Add a condition on crews; use as a decorator."""
        return self._adder(self.crews, "condition on crews", 1, function, name, names=table_of(names, "names"))

    def score(self, function: Function | None = None, *, name: str = "", says: Any = None) -> Any:
        """Add a score; use as a decorator."""
        return self._adder(self.scores, "score", 3, function, name, says=says)

    def place(
        self,
        function: Function | None = None,
        *,
        name: str = "",
        names: Mapping[str, str] | None = None,
        room: Callable[..., int | None] | None = None,
    ) -> Any:
        """Add a word for places; use as a decorator. For the other arguments, see `Word`."""
        more = {"names": table_of(names, "names"), "room": room}
        return self._adder(self.places, "word for places", 1, function, name, **more)

    def value(self, function: Function | None = None, *, name: str = "") -> Any:
        """Add a value of directions; use as a decorator."""
        return self._adder(self.values, "value", 3, function, name)

    def agent(self, function: Function | None = None, *, name: str = "") -> Any:
        """Add an agent that directions may be about; use as a decorator."""
        return self._adder(self.agents, "agent", 2, function, name)

    def include(self, other: RoleWords) -> RoleWords:
        """Add all words of another instance; return this one."""
        other = instance_of(other, RoleWords, "other", "give RoleWords")
        for mine, theirs in zip(self._tables(), other._tables()):
            for name, word in theirs.items():
                if name in mine:
                    raise BehaviourError(f"there already is a word {name!r}; choose another name")
                mine[name] = word
        return self

    def _tables(self) -> tuple[dict[str, Word], ...]:
        return self.members, self.crews, self.scores, self.places, self.values, self.agents

    def _adder(
        self,
        table: dict[str, Word],
        what: str,
        skip: int,
        function: Any,
        name: str,
        **more: Any,
    ) -> Any:
        def add(given: Any) -> Any:
            if not callable(given):
                raise BehaviourError(f"{given!r} is not callable; decorate a function")
            key = text_of(name, "name") or given.__name__
            if key in table:
                raise BehaviourError(f"there already is a {what} {key!r}; choose another name")
            parameters = parameters_of(given, key, skip_first=True)[skip - 1 :]
            table[key] = Word(key, given, parameters, **more)
            return given

        return add if function is None else add(function)


def known_word(table: Mapping[str, Word], name: Any, what: str) -> Word:
    """Return a word, or raise an error that lists the known ones."""
    if not isinstance(name, str) or name not in table:
        raise BehaviourError(f"no {what} {name!r}{did_you_mean(name, table)}; there are {', '.join(sorted(table))}")
    return table[name]


@dataclass(frozen=True)
class Candidate:
    """A potential member; words use it to decide whether they can ever hold (`among` of `RoleWords.member`).

    Attributes
    ----------
    name, brain : as in the scenario.
    team : the side it is on.
    attack : its weapon; "none" also if the scenario has no fighting.
    """

    name: str
    brain: str = "guard"
    team: str = "guards"
    attack: AttackKind = "none"


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
