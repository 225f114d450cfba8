"""Speech: select lines and answers for all speakers of a game, with memory and turn-taking."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from ....checks import finite_number, instance_of, seed_of, shown, text_of
from ....errors import InputError, RuleError, did_you_mean
from ....rng import generator
from ....vocabulary.events import FailedCondition, NearMiss
from ..engine.action_lists import Cooldowns
from ..engine.compile import compile_handler
from ..engine.engine import ActionFilter, Engine, Fired, RuleFilter
from ..engine.explanation import Consideration, Failure, explain
from ..engine.pack import RulePack
from ..language.faults import handlers_named
from ..language.lines import spoken
from ..language.resolution import CHANCE, Resolver
from ..language.rule import Database, Rule
from .answers import Casting, Exchanges, Pending, checked_roles
from .memory import FILLS, Placeholders, RuleMemory
from .speakers import GameSpeakers, Speaking, TurnTaking, groups_of_speaker
from .twin_board import TwinBoard
from .utterance import Bark, SpeechSettings, Utterance

CALLER_NAME = "ask.name"
"""Variable that gives an answering speaker the caller's name, unless the follow-up sets it."""

_TWINS = 256
"""Number of recent lines remembered, so that they are not repeated nearby."""


class Speech:
    """All lines of a game: one engine per group of handlers, and one memory and turn-taking for all speakers.

    Parameters
    ----------
    rules : a database, or a pack from `open_rules`.
    company : the speakers; use `Speakers(…)` if the game has no list of its own.
    seed : seed of shuffles and `random.*`.
    language : language of lines that have several; see `spoken`.
    fills : variables that fill placeholders, such as `{"place": "place.name"}`; default `FILLS`.

    Attributes
    ----------
    memory : facts that rules made speakers remember.
    silent : by speaker, why its last bark was not said.

    Raises
    ------
    RuleError
        A line has a placeholder that no variable fills, or a follow-up addresses a role that cannot exist.
    """

    def __init__(
        self,
        rules: Database | RulePack,
        company: GameSpeakers,
        *,
        seed: int = 0,
        language: str = "en",
        settings: SpeechSettings | None = None,
        fills: Mapping[str, str] | None = None,
    ):
        if not hasattr(company, "can_speak"):
            raise InputError(f"company is {shown(company)}; give Speakers(…), or an object with the same methods")
        self._engines = Engines(rules, seed)
        self.database = self._engines.database
        settings = SpeechSettings() if settings is None else settings
        self.settings = instance_of(settings, SpeechSettings, "settings", "give SpeechSettings(…), or None")
        self.company, self.language = company, text_of(language, "language")
        self.memory = RuleMemory(self.database)
        self.silent: dict[Hashable, str] = {}
        checked_roles(self.database, company.sides)
        self._casting = Casting(company, self.settings.earshot)
        self._turns = TurnTaking(self.settings.earshot, self.settings.pause)
        self._twins = TwinBoard(normal=self.settings.twin_seconds, radius=self.settings.twin_metres, size=_TWINS)
        self._placeholders = Placeholders(self.database, FILLS if fills is None else fills)
        self._exchanges = Exchanges()
        self._variants = generator(seed_of(seed), "rules variants")
        self._complaints: dict[str, str] = {}
        self._hints: dict[str, str] = {}
        self._reported: set[str] = set()

    @property
    def complaints(self) -> dict[str, str]:
        """Errors while reading variables, by path, once each."""
        return self._engines.complaints | self._complaints

    def news(self) -> list[tuple[str, str]]:
        """Return the complaints not returned before: path and error."""
        if not self._complaints and not self._engines.complaints:
            return []
        fresh = [each for each in self.complaints.items() if each[0] not in self._reported]
        self._reported.update(path for path, _ in fresh)
        return fresh

    def bark(self, bark: Bark, *, now: float) -> Utterance | None:
        """Let a speaker say something if a rule fires and no other is speaking; return None if it stays silent.

        `silent[speaker]` gives the reason.
        """
        found = self.bark_many([bark], now=now)
        return found[0] if found else None

    def bark_many(self, barks: Iterable[Bark], *, now: float) -> list[Utterance]:
        """Let several speakers speak, the most urgent first, then in the order given."""
        now = finite_number(now, "now", unit="s")
        given = list(barks) if isinstance(barks, Iterable) else [barks]
        found: list[Utterance] = []
        left = self.settings.most_at_once
        for bark in sorted((_checked(bark) for bark in given), key=lambda bark: -bark.urgency):
            refused = self._refused(bark.speaker, bark.urgency, now) if left else "enough others are speaking"
            exchange = self._exchanges.number()
            if refused:
                self.silent[bark.speaker] = f"waits: {refused}" if bark.patience else refused
                if bark.patience:
                    self._exchanges.wait(self._first(bark, exchange, now), now)
                continue
            left -= 1
            said = self._speak(bark.speaker, self._first(bark, exchange, now), now)
            if said is not None:
                found.append(said)
        return found

    def choose(self, bark: Bark, kind: str = "moves", *, now: float) -> Utterance | None:
        """Let a rule decide at once, whether or not others speak: an attack, a reaction, something said to oneself.

        The rules are those of `<side>.<kind>`, unless the bark names a handler. Return None if none fires.
        """
        now, bark = finite_number(now, "now", unit="s"), _checked(bark)
        asked = self._first(bark, self._exchanges.number(), now, text_of(kind, "kind"))
        engine = self._engines.get(asked.handler) if self.company.can_speak(bark.speaker) else None
        if engine is None or (kind == "barks" and self._turns.refuses_itself(bark.speaker, bark.urgency, now)):
            return None
        look_up, allows, allows_action = self._asked(bark.speaker, asked, now, self._complaints)
        fired = engine.evaluate(look_up, now=now, allows=allows, allows_action=allows_action)
        return None if fired is None else self._said(bark.speaker, fired, engine, asked, look_up, now, is_aside=True)

    def advance(self, now: float) -> list[Utterance]:
        """Return the lines that start now: answers that are due, and lines that waited for silence."""
        now = finite_number(now, "now", unit="s")
        found: list[Utterance] = []
        while (asked := self._exchanges.due(now)) is not None:
            self._casting.begin()
            speaker = self._casting.again(asked)
            if speaker is None:
                continue
            if asked.turn == 1 and not self._still_means(speaker, asked.facts):
                self.silent[speaker] = "it is no longer true"
                continue
            refused = self._refused(speaker, asked.urgency, now)
            if refused:
                self.silent[speaker] = refused
                if now < asked.until:
                    self._exchanges.wait(asked, now)
                continue
            said = self._speak(speaker, asked, now)
            if said is not None:
                found.append(said)
        return found

    def _still_means(self, speaker: Hashable, facts: Mapping[str, Any]) -> bool:
        """Return whether a line that waited is still true; the company may say that it is not."""
        ask = getattr(self.company, "still_means", None)
        return ask is None or bool(ask(speaker, facts))

    def _refused(self, speaker: Hashable, urgency: int, now: float) -> str:
        """Return why a speaker may not speak now, whatever the line; empty if it may."""
        if not self.company.can_speak(speaker):
            return "cannot speak"
        return self._turns.refuses(speaker, self.company.place(speaker), urgency, now)

    def _speak(self, speaker: Hashable, asked: Pending, now: float) -> Utterance | None:
        engine = self._engines.get(asked.handler)
        if engine is None:
            self.silent[speaker] = f"there are no handlers {asked.handler}"
            return None
        look_up, allows, allows_action = self._asked(speaker, asked, now, self._complaints)
        fired = engine.evaluate(look_up, now=now, allows=allows, allows_action=allows_action)
        if fired is None:
            self.silent[speaker] = "; ".join(["no rule fires", *self._unknown(asked.facts)])
            return None
        return self._said(speaker, fired, engine, asked, look_up, now)

    def _unknown(self, facts: Mapping[str, Any]) -> list[str]:
        """Describe facts that no rule can use; complain about those that resemble a variable."""
        found = []
        for path in facts:
            if path not in self.database.variables:
                if path not in self._hints:
                    self._hints[path] = did_you_mean(path, self.database.variables)
                found.append(f"no variable {shown(path)}{self._hints[path]}")
                if self._hints[path]:
                    self._complaints.setdefault(path, found[-1])
        return found

    def consider(self, bark: Bark, *, now: float) -> Consideration:
        """Return what would be said and the state of every other rule, without saying or changing anything."""
        bark, now = _checked(bark), finite_number(now, "now", unit="s")
        asked = self._first(bark, 0, now)
        refused, engine = self._refused(bark.speaker, bark.urgency, now), self._engines.get(asked.handler)
        if engine is None:
            refused = refused or f"there are no handlers {asked.handler}"
            return Consideration(bark.speaker, asked.handler, refused, {}, None)
        look_up, refuses, refuses_action = self._asked(bark.speaker, asked, now, {})
        facts = {name: look_up(name) for name in engine.handler.variables if not name.startswith(CHANCE)}
        blocked = engine.blocked(now)
        for verdict in explain(engine.handler, facts).verdicts:
            if not verdict.failures and verdict.number not in blocked:
                why = refuses(verdict.rule) or engine.refusal(verdict.number, now, refuses_action)
                if why:
                    blocked[verdict.number] = why
        explanation = explain(engine.handler, facts, blocked=blocked)
        return Consideration(bark.speaker, asked.handler, refused, facts, explanation)

    def _first(self, bark: Bark, exchange: int, now: float, kind: str = "barks") -> Pending:
        """Return the first line of an exchange, to be said now or once there is silence."""
        handler = bark.handler or "+".join(f"{group}.{kind}" for group in groups_of_speaker(self.company, bark.speaker))
        return Pending(
            now, now + bark.patience, exchange, 1, handler, bark.facts, bark.about, bark.urgency, cast=bark.speaker
        )

    def _asked(
        self, speaker: Hashable, asked: Pending, now: float, complaints: dict[str, str]
    ) -> tuple[Resolver, RuleFilter, ActionFilter]:
        """Return the facts a speaker knows, and the filters on its rules and actions."""
        self._casting.begin()
        place, known = self.company.place(speaker), self.company.facts(speaker, asked.facts)
        look_up = self.memory.with_facts(speaker, asked.facts, known, now, complaints)
        return (
            look_up,
            lambda rule: self._refuses(rule, speaker, asked),
            lambda rule, action: self._refuses_action(rule, action, place, look_up, now),
        )

    def _refuses(self, rule: Rule, speaker: Hashable, asked: Pending) -> str:
        """Return why a rule with a follow-up may not fire: no speaker can answer, or it is the last line."""
        if rule.then is None:
            return ""
        if asked.turn >= self.settings.most_lines:
            return f"the exchange has had its {self.settings.most_lines} lines"
        answers = self._casting.cast(rule.then.who, speaker, asked.caller, asked.about) is not None
        return "" if answers else f"no speaker can answer as {rule.then.who!r}"

    def _refuses_action(
        self, rule: Rule, action: Any, place: tuple[float, float, float], look_up: Callable[[str], Any], now: float
    ) -> str:
        if rule.says and not self._twins.may(action, place, now):
            return "a speaker nearby has just said it"
        missing = self._placeholders.missing(action, look_up)
        return f"{{{missing}}} of {rule.name!r} is unknown" if missing else ""

    def _said(
        self,
        speaker: Hashable,
        fired: Fired,
        engine: Engine,
        asked: Pending,
        look_up: Callable[[str], Any],
        now: float,
        *,
        is_aside: bool = False,
    ) -> Utterance:
        rule, action, place = fired.rule, fired.action, self.company.place(speaker)
        text = ""
        if isinstance(action, str) and rule.says:
            values = self._placeholders.values(action, look_up)
            text = spoken(action, self.database.lines, values, language=self.language, pick=self._pick)
        until = now + self.settings.seconds_of(text)
        line = Speaking(speaker, now, until, place, asked.urgency, asked.exchange)
        cut = self._turns.take(line) if text and not is_aside else []
        if text and is_aside:
            self._turns.note_aside(line)
        if not is_aside:
            self._exchanges.drop(speaker, asked.exchange, [one.exchange for one in cut])
            self.silent.pop(speaker, None)
        if action is not None and rule.says:
            self._twins.began(action, place, now)
        for fact in rule.remember:
            self.memory.write(speaker, fact.variable, fact.value, now=now, seconds=fact.seconds)
        self._follow_up(rule, speaker, asked, now, until)
        return Utterance(
            speaker=speaker,
            text=text,
            action=action,
            rule=rule.name,
            handler=self._engines.home(asked.handler, rule),
            source=self._engines.place(rule),
            facts=dict(fired.facts),
            misses=self._misses(fired, engine),
            begun=now,
            until=until,
            tier=rule.tier,
            to=asked.caller,
            turn=asked.turn,
            exchange=asked.exchange,
            interrupts=tuple(one.speaker for one in cut if one.speaker != speaker),
            asked=asked.handler,
            line_id=action if rule.says and isinstance(action, str) and action in self.database.lines else "",
            tags=self._tags(action),
            is_deed=not rule.says,
        )

    def _pick(self, count: int) -> int:
        return int(self._variants.integers(count))

    def _tags(self, action: Any) -> Mapping[str, str]:
        settings = self.database.line_settings.get(action) if isinstance(action, str) else None
        return {} if settings is None else settings.tags

    def _misses(self, fired: Fired, engine: Engine) -> tuple[NearMiss, ...]:
        most, rules = self.settings.near_misses, engine.handler.rules
        passed = [NearMiss(rules[number].name, refused=why) for number, why in list(fired.passed.items())[:most]]
        failed = engine.failed_last(fired, most - len(passed))
        return (*passed, *(NearMiss(one.rule.name, tuple(map(_failed, one.failures))) for one in failed))

    def _follow_up(self, rule: Rule, speaker: Hashable, asked: Pending, now: float, until: float) -> None:
        if rule.then is None:
            return
        cast = self._casting.cast(rule.then.who, speaker, asked.caller, asked.about)
        due, facts = max(now + rule.then.after, until), dict(rule.then.facts)
        if CALLER_NAME in self.database.variables:
            facts.setdefault(CALLER_NAME, self.company.name(speaker))
        answer = Pending(
            due, due + self.settings.patience, asked.exchange, asked.turn + 1, rule.then.handler, facts, asked.about,
            asked.urgency, rule.then.who, cast, speaker, asked.caller,
        )  # fmt: skip
        self._exchanges.ask(answer)


class Engines:
    """All engines of a database; they share one set of cooldowns.

    Parameters
    ----------
    rules : a database, or a pack from `open_rules`.
    seed : seed of shuffles and `random.*`.
    """

    def __init__(self, rules: Database | RulePack, seed: int):
        if not isinstance(rules, Database | RulePack):
            raise RuleError(f"rules are {shown(rules)}; give a database from read_rules or a pack from open_rules")
        self.database = rules if isinstance(rules, Database) else rules.database()
        self._rules, self._seed = rules, seed_of(seed)
        self._cooldowns = Cooldowns()
        self._made: dict[str, Engine | None] = {}
        self._homes: dict[tuple[str, str, int], str] = {}

    def get(self, name: str) -> Engine | None:
        """Return the engine of a handler, or of all handlers with the prefix `name.`; None if there are none.

        Several names are joined by `+`; their handlers are combined.
        """
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> Engine | None:
        handlers = self.database.handlers
        names = [each for part in name.split("+") for each in handlers_named(part, self.database)]
        for each in names:
            for rule in handlers[each].rules:
                self._homes.setdefault((name, rule.name, rule.line), each)
        if not names:
            return None
        together = self._rules.compiled if isinstance(self._rules, RulePack) else None
        compiled = together(*names) if together is not None else compile_handler(self.database, *names)
        return Engine(compiled, seed=self._seed, cooldowns=self._cooldowns)

    def home(self, name: str, rule: Rule) -> str:
        """Return the handler that contains a rule, among those combined under `name`."""
        return self._homes.get((name, rule.name, rule.line), name)

    def place(self, rule: Rule) -> str:
        """Return the file and line of a rule, relative to the folder of its database."""
        name = rule.source.removeprefix(f"{self.database.source}{os.sep}")
        return f"{name}:{rule.line}" if rule.line else name

    @property
    def complaints(self) -> dict[str, str]:
        """Values of the wrong type, by path, reported once each."""
        found: dict[str, str] = {}
        for engine in self._made.values():
            if engine is not None:
                found = engine.complaints | found
        return found


def _failed(failure: Failure) -> FailedCondition:
    one, value = failure.condition, failure.value
    shown = round(value, 3) if isinstance(value, float) else value
    return FailedCondition(one.variable, one.operator, one.constant, shown)


def _checked(bark: Any) -> Bark:
    return bark if bark.__class__ is Bark else instance_of(bark, Bark, "bark", "give Bark(speaker, facts)")
