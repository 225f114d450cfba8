"""What can be wrong with rules, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import RuleError

__all__ = ["RuleFault", "RuleFileError"]


@dataclass(frozen=True)
class RuleFault:
    """One thing wrong with a database of rules: where in the files, in which rule, and what.

    Attributes
    ----------
    source, line : file and line, 0 if none.
    handler, rule : names; empty where it is about neither.
    kind : a word that stays the same, for programs: "type", "unknown variable", "never fires" …
    severity : "error": the rules cannot be used; "warning": they can, but hardly as meant.
    """

    source: str
    line: int
    handler: str
    rule: str
    what: str
    kind: str = "form"
    severity: str = "error"

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}" if self.line else self.source
        rule = f"rule {self.rule!r} of {self.handler}" if self.rule else self.handler
        return ": ".join(part for part in (place, rule, self.what) if part)


class RuleFileError(RuleError):
    """Rules cannot be used; `faults` holds every fault found, not only the first."""

    def __init__(self, faults: Sequence[RuleFault]):
        self.faults = tuple(faults)
        lines = [str(fault) for fault in self.faults]
        super().__init__(lines[0] if len(lines) == 1 else "\n  ".join([f"{len(lines)} faults in rules:", *lines]))
