"""Nodes for hints: selectors that hints reorder, IsHinted and SendHint."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ....errors import BehaviourError
from ..hints import HINT_TYPES, Hint, Hints, HintType, TakesHints
from ..leaf import Leaf
from ..node import Composite, Node
from ..ports import Input, checked_choice, checked_seconds
from ..resting import Branches
from ..status import FAILURE, IDLE, SUCCESS, Status


class _HintOrdered(TakesHints, Composite):
    """A selector with named branches in an order that hints change.

    Branches with a positive hint come first, then those without a hint, then those with a negative one, each group as
    written.
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
        """Reject branches with the same name."""
        super().check()
        checked_choice(self.avoided, ("last", "never"), "avoided", self.label)
        labels = [child.label for child in self.children]
        twice = sorted({label for label in labels if labels.count(label) > 1})
        if twice:
            raise BehaviourError(f"{self.label} has several branches {twice[0]!r}; give each a unique name")

    def hint_branches(self) -> Iterable[str]:
        """Return the names of the branches."""
        return [child.label for child in self.children]

    def details(self) -> str:
        """Return `avoided` unless it is the default."""
        return "" if self.avoided == "last" else f"avoided: {self.avoided}"

    def why(self) -> str:
        """Return the child that decided, and which branches moved and why."""
        words = super().why()
        return f"{words} ({self.reason})" if self.reason and words != self.reason else words

    def order(self, context: Any) -> bool:
        """Apply the current hints; return whether the order has changed."""
        hints = self.hints
        if hints.next_end <= getattr(context, "time", -1.0):
            hints.expire(context.time)
        if hints.changes == self._changes:
            self.reason = self._words
            return False
        self._changes = hints.changes
        before = self._order
        hinted = [(child, hints.of(child.label)) for child in self.children]
        first = [child for child, hint in hinted if hint is not None and hint.type == "positive"]
        last = [child for child, hint in hinted if hint is not None and hint.type == "negative"]
        others = [child for child, hint in hinted if hint is None]
        self._order = (*first, *others, *(last if self.avoided == "last" else ()))
        self._words = _moved([hint for _, hint in hinted if hint is not None], self.avoided)
        self.reason = self._words
        return self._order != before

    def take_over(self, chosen: Node | None, context: Any) -> None:
        """Interrupt the running branch if another was chosen."""
        if self._running is not chosen:
            if self._running is not None:
                self._running.interrupt(context)
            self._running = chosen


def _moved(hints: Iterable[Hint], avoided: str) -> str:
    """Describe which branches moved where, and by whose hint: "engage, chase last, crew: decoy"."""
    moved: dict[tuple[str, str], list[str]] = {}
    for hint in hints:
        moved.setdefault(("first" if hint.type == "positive" else avoided, hint.words), []).append(hint.branch)
    return "; ".join(
        f"{', '.join(branches)} {where}" + (f", {words}" if words else "") for (where, words), branches in moved.items()
    )


class HintedSelector(_HintOrdered):
    """Ticks branches in order until one does not fail; resumes with the one that was running. Hints change the order.

    | a branch returns | the selector                                            |
    |------------------|---------------------------------------------------------|
    | SUCCESS          | SUCCESS; the next run begins with the first branch      |
    | RUNNING          | RUNNING; the next tick resumes with this branch         |
    | FAILURE          | ticks the next in the same tick; FAILURE after the last |

    Hints address branches by their unique names: preferred branches come first, avoided ones last, or with
    `avoided="never"` not at all. When the order changes it starts over, but the running branch is interrupted only if a
    branch before it takes over. Without hints it is a `Selector`.
    """

    kind = "hinted_selector"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Begin with the first branch."""
        self._at = 0
        self._running = None

    def tick(self, context: Any) -> Status:
        """Resume where the last tick stopped, or start over in another order."""
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


class ReactiveHintedSelector(_HintOrdered):
    """Ticks all branches from the first at every tick until one does not fail. Hints change the order.

    | a branch returns | the selector                                                                       |
    |------------------|------------------------------------------------------------------------------------|
    | SUCCESS          | SUCCESS; another branch that was running is interrupted                            |
    | RUNNING          | RUNNING; another branch that was running is interrupted; the next tick starts over |
    | FAILURE          | ticks the next in the same tick; FAILURE after the last                            |

    Hints address branches by their unique names: preferred branches come first, avoided ones last, or with
    `avoided="never"` not at all. Without hints it is a `ReactiveSelector`.
    """

    kind = "reactive_hinted_selector"
    _follows_hints = True

    _branches: Branches | None = None

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Begin with no branch running."""
        self._running = None
        if self._branches is not None and self.status is IDLE:
            self._branches.forget()

    def tick(self, context: Any) -> Status:
        """Begin with the first branch."""
        if self.order(context) or self._branches is None:
            self._branches = Branches(self._order, FAILURE, self._seen, self._statuses, self._shared)
        at, status = self._branches.run(context)
        self.take_over(None if status is FAILURE else self._order[at], context)
        return status


class IsHinted(TakesHints, Leaf):
    """Tests whether the active hint of a branch has a type.

    | the active hint                 | status  |
    |---------------------------------|---------|
    | is of that type                 | SUCCESS |
    | is of another, or there is none | FAILURE |

    Next to an optional condition, under a selector, it lets a hint open the branch; without hints it fails and changes
    nothing. The type "neutral" matches if there is no hint.
    """

    kind = "is_hinted"
    obeys = ("hints",)

    def __init__(self, *, branch: str, type: HintType = "positive", name: str = ""):
        self.branch, self.type, self.name = branch, type, name

    def check(self) -> None:
        """Reject an unknown type or an empty branch."""
        super().check()
        _check_hint(self, self.branch, self.type)

    def hint_branches(self) -> Iterable[str]:
        """Return the branch it tests."""
        return [self.branch]

    def details(self) -> str:
        """Return the branch and the type."""
        return f"{self.branch}: {self.type}"

    def tick(self, context: Any) -> Status:
        """Test the active hint."""
        if self.hints.next_end <= getattr(context, "time", -1.0):
            self.hints.expire(context.time)
        hint = self.hints.of(self.branch)
        self.reason = "no hint" if hint is None else f"{hint.type}{', ' if hint.words else ''}{hint.words}"
        return SUCCESS if (hint.type if hint is not None else "neutral") == self.type else FAILURE


class SendHint(Leaf):
    """Sends one hint to the trees directly below and succeeds; upper trees use it instead of actions.

    | the trees below                     | status                            |
    |-------------------------------------|-----------------------------------|
    | have the branch                     | SUCCESS; the hint is active from now on |
    | do not, or there are none           | SUCCESS                           |

    `to` names a group of the trees below (empty: all). The hint expires after `seconds`; with 0 it is active until
    "neutral" is sent or this tree is removed from the stack.
    """

    kind = "send_hint"

    def __init__(self, *, branch: str, type: HintType = "positive", to: str = "", seconds: float = 0.0, name: str = ""):
        self.branch, self.type, self.to, self.seconds, self.name = branch, type, to, seconds, name
        self.source = ""
        self.below: Mapping[str, Sequence[Hints]] = {}

    def check(self) -> None:
        """Reject an unknown type, an empty branch and invalid times."""
        super().check()
        checked_seconds(Input(self.seconds), self.label)
        _check_hint(self, self.branch, self.type)

    def details(self) -> str:
        """Return the branch, the type and the receivers."""
        return f"{self.branch}: {self.type}" + (f", to: {self.to}" if self.to else "")

    def tick(self, context: Any) -> Status:
        """Send the hint."""
        groups = [self.below.get(self.to, ())] if self.to else list(self.below.values())
        receivers = [hints for group in groups for hints in group if self.branch in hints.branches]
        for hints in receivers:
            hints.send(
                self.branch,
                self.type,
                source=self.source,
                now=getattr(context, "time", 0.0),
                seconds=self.seconds or None,
            )
        self.reason = f"{self.type} to {len(receivers)} tree{'' if len(receivers) == 1 else 's'}"
        return SUCCESS


def _check_hint(node: Node, branch: str, type: HintType) -> None:
    if not branch:
        raise BehaviourError(f"{node.label} names no branch; give its name")
    checked_choice(type, HINT_TYPES, "type", node.label)
