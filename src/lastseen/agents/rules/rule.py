"""Rules, handlers and databases: what authors write, before it is compiled."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

__all__ = [
    "OPERATORS",
    "ORDERS",
    "POLICIES",
    "Condition",
    "Database",
    "FollowUp",
    "Handler",
    "Memory",
    "Operator",
    "Order",
    "Policy",
    "Rule",
    "Value",
    "VariableSpec",
]

Value = bool | int | float | str
Operator = Literal["==", "!=", "<", "<=", ">", ">="]
OPERATORS: tuple[Operator, ...] = ("==", "!=", "<", "<=", ">", ">=")

Policy = Literal["sequence repeat", "sequence once", "shuffle repeat", "shuffle once"]
POLICIES: tuple[Policy, ...] = ("sequence repeat", "sequence once", "shuffle repeat", "shuffle once")
"""How the actions of a rule are gone through; after "once" a rule is depleted and never selected again."""

Order = Literal["original", "conditions", "priority"]
ORDERS: tuple[Order, ...] = ("original", "conditions", "priority")
"""In which order rules are tried: as written; most conditions first; highest priority, then most conditions."""


class Condition(msgspec.Struct, frozen=True):
    """A variable compared with a constant."""

    variable: str
    operator: Operator
    constant: Value

    def __str__(self) -> str:
        constant = str(self.constant).lower() if isinstance(self.constant, bool) else self.constant
        return f"{self.variable} {self.operator} {constant}"


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact a rule writes when it fires: `variable` holds `value` for so many seconds (0: for good)."""

    variable: str
    value: Value = True
    seconds: Annotated[float, msgspec.Meta(ge=0.0, le=1e9)] = 0.0


class FollowUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What another speaker is asked afterwards: call and response.

    `who` names a role: "nearest" of the same side, "caller", "subject", "self", or the nearest of a side by its name;
    `facts` are those it is asked with, `after` so many seconds at least.
    """

    handler: str
    who: str = "nearest"
    after: Annotated[float, msgspec.Meta(ge=0.0, le=600.0)] = 1.0
    facts: dict[str, Value] = {}


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """Conditions that must all hold, and actions of which one is executed per match.

    Attributes
    ----------
    name : unique in its handler; errors and the debugger speak of it.
    conditions : only "and": no precedence to explain. "Or" is two rules with the same actions.
    actions : whatever the game executes: lines, names of animations. Rules with the same list share it.
    policy : how the list is gone through; None: as the handler.
    priority : for the order by priority; higher is tried first.
    cooldown : seconds for which nobody else may execute the same action.
    tier : 1 very specific … 3 generic: for barks in three tiers; 0: none.
    source, line : where it is written.
    """

    name: str
    conditions: tuple[Condition, ...] = ()
    actions: tuple[Any, ...] = ()
    policy: Policy | None = None
    priority: int = 0
    cooldown: float | None = None
    tier: int = 0
    remember: tuple[Memory, ...] = ()
    then: FollowUp | None = None
    source: str = ""
    line: int = 0


class Handler(msgspec.Struct, frozen=True, omit_defaults=True):
    """An ordered set of rules: the editable resource."""

    name: str
    rules: tuple[Rule, ...] = ()
    order: Order = "original"
    policy: Policy = "sequence repeat"
    cooldown: float = 0.0


class VariableSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a variable holds: its type, the names of an enumeration in their order, and words about it."""

    path: str
    type: Literal["bool", "int", "float", "str", "enum"]
    names: tuple[str, ...] = ()
    about: str = ""


class Database(msgspec.Struct, frozen=True):
    """All variables, handlers and lines (id → language → text), from however many files.

    `line_places` are file and line (from 1) of lines, by their ids, as far as they are known.
    """

    variables: dict[str, VariableSpec]
    handlers: dict[str, Handler]
    source: str = ""
    lines: dict[str, dict[str, str]] = {}
    line_places: dict[str, tuple[str, int]] = {}
