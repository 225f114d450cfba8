"""Engines: one per group of handlers evaluated together, created on first use."""

from __future__ import annotations

import os

from ....checks import seed_of, shown
from ....errors import RuleError
from ..language.faults import handlers_named
from ..language.rule import Database, Rule
from .action_lists import Cooldowns
from .compile import compile_handler
from .engine import Engine
from .pack import RulePack


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
        """Return the engine of a handler, or of all handlers with the prefix `name.`; None if there are none."""
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> Engine | None:
        handlers = self.database.handlers
        names = handlers_named(name, self.database)
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
