"""Nodes for hints: selectors whose order hints change, IsHinted and SendHint."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ....errors import BehaviourError
from ..hints import HINT_TYPES, Hint, Hints, HintType, TakesHints
from ..leaf import Leaf
from ..node import Composite, Node
from ..ports import Input, checked_seconds
from ..status import FAILURE, IDLE, SUCCESS, Status
from .reactive import Turns

AVOIDED = ("last", "never")


class Reordered(TakesHints, Composite):
    """What selectors with hints have in common: named branches, and their order of now.

    First those hinted at positively, then those without a hint, then those to be avoided, each as they are written.
    """

    obeys = ("hints",)
    """Directions of crews it reads."""

    def __init__(self, children: typing.Sequence[Node], *, avoided: Literal["last", "never"] = "last", name: str = ""):
        super().__init__(children, name=name)
        self.avoided = avoided
        self._order: tuple[Node, ...] = self.children
        self._words = ""
        self._changes = -1
        self._running: Node | None = None

    def check(self) -> None:
        """Refuse branches that cannot be told apart."""
        super().check()
        if self.avoided not in AVOIDED:
            allowed = " or ".join(map(repr, AVOIDED))
            raise BehaviourError(f"{self.label} tries what is avoided {self.avoided!r}; give {allowed}")
        labels = [child.label for child in self.children]
        twice = sorted({label for label in labels if labels.count(label) > 1})
        if twice:
            raise BehaviourError(f"{self.label} has several branches {twice[0]!r}; give each a name of its own")

    def hint_branches(self) -> Iterable[str]:
        """Return the names of the branches."""
        return [child.label for child in self.children]

    def details(self) -> str:
        """Return what becomes of branches to be avoided."""
        return "" if self.avoided == "last" else f"avoided: {self.avoided}"

    def why(self) -> str:
        """Return the child that decided, and which branches moved and why."""
        words = super().why()
        return f"{words} ({self.reason})" if self.reason and words != self.reason else words

    def order(self, context: Any) -> bool:
        """Take in what hints say now; return whether the order has changed."""
        hints = self.hints
        if hints.next_end <= getattr(context, "time", -1.0):
            hints.expire(context.time)
        if hints.changes == self._changes:
            self.reason = self._words
            return False
        self._changes = hints.changes
        before = self._order
        said = [(child, hints.of(child.label)) for child in self.children]
        first = [child for child, hint in said if _type(hint) == "positive"]
        last = [child for child, hint in said if _type(hint) == "negative"]
        unsaid = [child for child, hint in said if hint is None]
        self._order = (*first, *unsaid, *(last if self.avoided == "last" else ()))
        self._words = _moved([hint for _, hint in said if hint is not None], self.avoided)
        self.reason = self._words
        return self._order != before

    def take_over(self, chosen: Node | None, context: Any) -> None:
        """Interrupt what ran if it is not what was chosen."""
        if self._running is not chosen:
            if self._running is not None:
                self._running.interrupt(context)
            self._running = chosen


def _type(hint: Hint | None) -> str:
    return "neutral" if hint is None else hint.type


def _moved(hints: Iterable[Hint], avoided: str) -> str:
    """Return which branches moved where, and by whose word: "engage, chase last, crew: decoy"."""
    moved: dict[tuple[str, str], list[str]] = {}
    for hint in hints:
        moved.setdefault(("first" if hint.type == "positive" else avoided, hint.words), []).append(hint.branch)
    return "; ".join(
        f"{', '.join(branches)} {where}" + (f", {words}" if words else "") for (where, words), branches in moved.items()
    )


class HintedSelector(Reordered):
    """Ticks branches in order until one does not fail; goes on with the one that was running. Hints change the order.

    | a branch returns | the selector                                            |
    |------------------|---------------------------------------------------------|
    | SUCCESS          | SUCCESS; the next run begins with the first branch      |
    | RUNNING          | RUNNING; the next tick goes on with this branch         |
    | FAILURE          | ticks the next in the same tick; FAILURE after the last |

    Every branch has a name of its own, to which hints may be sent: those wanted come first, those to be avoided last,
    or with `avoided="never"` not at all. When the order changes it starts over: what runs goes on unless a branch
    before it takes over. Without hints it is a `Selector`.
    """

    kind = "hinted_selector"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Begin with the first branch."""
        self._at = 0
        self._running = None

    def tick(self, context: Any) -> Status:
        """Continue where the last tick stopped, or start over in another order."""
        if self.order(context):
            self._at = 0
        for at in range(self._at, len(self._order)):
            status = self._order[at].run(context)
            if status is not FAILURE:
                self._at = at
                self.take_over(self._order[at], context)
                return status
        self.take_over(None, context)
        return FAILURE


class ReactiveHintedSelector(Reordered):
    """Ticks all branches from the first at every tick until one does not fail. Hints change the order.

    | a branch returns | the selector                                                                       |
    |------------------|------------------------------------------------------------------------------------|
    | SUCCESS          | SUCCESS; another branch that was running is interrupted                            |
    | RUNNING          | RUNNING; another branch that was running is interrupted; the next tick starts over |
    | FAILURE          | ticks the next in the same tick; FAILURE after the last                            |

    Every branch has a name of its own, to which hints may be sent: those wanted come first, those to be avoided last,
    or with `avoided="never"` not at all. Without hints it is a `ReactiveSelector`.
    """

    kind = "reactive_hinted_selector"
    _follows_hints = True

    _turns: Turns | None = None

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nothing runs yet."""
        self._running = None
        if self._turns is not None and self.status is IDLE:
            self._turns.forget()

    def tick(self, context: Any) -> Status:
        """Begin with the first branch."""
        if self.order(context) or self._turns is None:
            self._turns = Turns(self._order, FAILURE, self._seen, self._statuses, self._pulse)
        at, status = self._turns.run(context)
        self.take_over(None if status is FAILURE else self._order[at], context)
        return status


class IsHinted(TakesHints, Leaf):
    """Asks whether a hint of that type holds for a branch.

    | the hint that holds             | status  |
    |---------------------------------|---------|
    | is of that type                 | SUCCESS |
    | is of another, or there is none | FAILURE |

    Beside a condition that is a matter of taste, under a selector, it lets a hint open the branch; without hints it
    fails and changes nothing. "neutral" holds where there is no hint.
    """

    kind = "is_hinted"
    obeys = ("hints",)

    def __init__(self, *, branch: str, type: HintType = "positive", name: str = ""):
        self.branch, self.type, self.name = branch, type, name

    def check(self) -> None:
        """Refuse an unknown type."""
        super().check()
        if self.type not in HINT_TYPES or not self.branch:
            raise BehaviourError(f"{self.label} asks for {self.type!r} of {self.branch!r}; {', '.join(HINT_TYPES)}")

    def hint_branches(self) -> Iterable[str]:
        """Return the branch it asks for."""
        return [self.branch]

    def details(self) -> str:
        """Return what it asks for."""
        return f"{self.branch}: {self.type}"

    def tick(self, context: Any) -> Status:
        """Ask."""
        if self.hints.next_end <= getattr(context, "time", -1.0):
            self.hints.expire(context.time)
        hint = self.hints.of(self.branch)
        self.reason = "no hint" if hint is None else f"{hint.type}{', ' if hint.words else ''}{hint.words}"
        return SUCCESS if (hint.type if hint is not None else "neutral") == self.type else FAILURE


class SendHint(Leaf):
    """Sends one hint to the trees right below and succeeds at once: what upper trees have in place of actions.

    | the trees below                     | status                            |
    |-------------------------------------|-----------------------------------|
    | have the branch                     | SUCCESS; the hint holds from now on |
    | do not, or there are none           | SUCCESS                           |

    `to` names a group of the trees below, empty: all; `seconds` after which the hint is over, 0: it holds until
    "neutral" is sent or this tree is taken off.
    """

    kind = "send_hint"

    def __init__(self, *, branch: str, type: HintType = "positive", to: str = "", seconds: float = 0.0, name: str = ""):
        self.branch, self.type, self.to, self.seconds, self.name = branch, type, to, seconds, name
        self.source = ""
        self.below: Mapping[str, Sequence[Hints]] = {}

    def check(self) -> None:
        """Refuse an unknown type and times that are none."""
        super().check()
        checked_seconds(Input(self.seconds), self.label)
        if self.type not in HINT_TYPES or not self.branch:
            raise BehaviourError(f"{self.label} sends {self.type!r} to {self.branch!r}; {', '.join(HINT_TYPES)}")

    def details(self) -> str:
        """Return what is sent to whom."""
        return f"{self.branch}: {self.type}" + (f", to: {self.to}" if self.to else "")

    def tick(self, context: Any) -> Status:
        """Send it."""
        groups = [self.below.get(self.to, ())] if self.to else list(self.below.values())
        told = [hints for group in groups for hints in group if self.branch in hints.branches]
        for hints in told:
            hints.send(
                self.branch,
                self.type,
                source=self.source,
                now=getattr(context, "time", 0.0),
                seconds=self.seconds or None,
            )
        self.reason = f"{self.type} to {len(told)} tree{'' if len(told) == 1 else 's'}"
        return SUCCESS
