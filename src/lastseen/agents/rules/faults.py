"""Faults of rule files: what is wrong and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import RuleError

__all__ = ["RuleFault", "RuleFileError"]


@dataclass(frozen=True)
class RuleFault:
    """One fault of a rule database: its file, line and rule, and what is wrong.

    Attributes
    ----------
    source, line : file and line, 0 if none.
    handler, rule : names; empty if the fault concerns neither.
    kind : a stable word for programs: "type", "unknown variable", "never fires" …
    severity : "error" if the rules cannot be used; "warning" if they can but probably not as intended.
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
    """Error for unusable rules; `faults` holds every fault found, not only the first."""

    def __init__(self, faults: Sequence[RuleFault]):
        self.faults = tuple(faults)
        lines = [str(fault) for fault in self.faults]
        super().__init__(lines[0] if len(lines) == 1 else "\n  ".join([f"{len(lines)} faults in rules:", *lines]))
