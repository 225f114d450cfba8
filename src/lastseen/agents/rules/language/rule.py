"""Rules, handlers and databases as written by authors, before compilation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

Value = bool | int | float | str
Operator = Literal["==", "!=", "<", "<=", ">", ">="]
OPERATORS: tuple[Operator, ...] = ("==", "!=", "<", "<=", ">", ">=")

Policy = Literal["sequence repeat", "sequence once", "shuffle repeat", "shuffle once"]
POLICIES: tuple[Policy, ...] = ("sequence repeat", "sequence once", "shuffle repeat", "shuffle once")
"""Selection of actions from a rule; after "once" a rule is depleted and never selected again."""

Order = Literal["original", "conditions", "priority"]
ORDERS: tuple[Order, ...] = ("original", "conditions", "priority")
"""Order in which rules are tried: as written; most conditions first; highest priority, then most conditions."""


class Condition(msgspec.Struct, frozen=True):
    """A variable compared with a constant."""

    variable: str
    operator: Operator
    constant: Value

    def __str__(self) -> str:
        constant = str(self.constant).lower() if isinstance(self.constant, bool) else self.constant
        return f"{self.variable} {self.operator} {constant}"


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact a rule writes when it fires: `variable` holds `value` for this many seconds (0: permanently)."""

    variable: str
    value: Value = True
    seconds: Annotated[float, msgspec.Meta(ge=0.0, le=1e9)] = 0.0


class FollowUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question to another speaker after a line: call and response.

    `who` is a role: "nearest" of the same side, "caller", "subject", "self", or the name of a side for its nearest
    speaker; `facts` are passed to the answering rules, `after` is the minimum delay in seconds.
    """

    handler: str
    who: str = "nearest"
    after: Annotated[float, msgspec.Meta(ge=0.0, le=600.0)] = 1.0
    facts: dict[str, Value] = {}


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """Conditions that must all hold, and actions of which one is executed per match.

    Attributes
    ----------
    name : unique within its handler; used by errors and the debugger.
    conditions : joined by "and" only, so there is no precedence; write "or" as two rules with the same actions.
    actions : anything the game executes: lines, names of animations. Rules with the same list share it.
    policy : how actions are selected from the list; None: as in the handler.
    priority : used by the order "priority"; higher is tried first.
    cooldown : seconds for which no speaker may execute the same action.
    tier : from 1 (very specific) to 3 (generic), for barks in three tiers; 0: none.
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
    """An ordered set of rules, edited as one resource."""

    name: str
    rules: tuple[Rule, ...] = ()
    order: Order = "original"
    policy: Policy = "sequence repeat"
    cooldown: float = 0.0


class VariableSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """Specification of a variable: its type, the ordered names of an enumeration, and a description."""

    path: str
    type: Literal["bool", "int", "float", "str", "enum"]
    names: tuple[str, ...] = ()
    about: str = ""


class Database(msgspec.Struct, frozen=True):
    """All variables, handlers and lines (id → language → text), from any number of files.

    `line_places` holds the known file and line number (from 1) of each line, by id.
    """

    variables: dict[str, VariableSpec]
    handlers: dict[str, Handler]
    source: str = ""
    lines: dict[str, dict[str, str]] = {}
    line_places: dict[str, tuple[str, int]] = {}
