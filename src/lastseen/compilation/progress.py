"""Progress of the compiler: kernels done and in total, and the seconds left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CompileProgress:
    """Progress of the compiler.

    Attributes
    ----------
    done : kernels compiled so far; `total`: kernels to compile in all, None if unknown.
    seconds : wall-clock seconds of compiling so far; `seconds_left`: expected seconds left, None if unknown.
    is_busy : whether a kernel is being compiled now.
    kernel : the kernel compiled last, if known.
    """

    done: int = 0
    seconds: float = 0.0
    total: int | None = None
    seconds_left: float | None = None
    is_busy: bool = False
    kernel: str = ""

    @property
    def share(self) -> float | None:
        """Share of the time that has passed, 0 … 1; None if unknown."""
        if self.seconds_left is None:
            return None
        whole = self.seconds + self.seconds_left
        return self.seconds / whole if whole > 0.0 else 1.0

    def words(self) -> str:
        """Return the progress as text, such as "compiling kernel 12 of 68, about 9 seconds left"."""
        number = self.done + 1 if self.is_busy or not self.done else self.done
        words = f"compiling kernel {number}" + (f" of {self.total}" if self.total is not None else "")
        return words if self.seconds_left is None else f"{words}, about {_duration(self.seconds_left)} left"

    def as_object(self) -> dict[str, Any]:
        """Return the progress as a JSON object."""
        left = self.seconds_left
        return {
            "compiled_kernels": self.done,
            "of_kernels": self.total,
            "compile_seconds": round(self.seconds, 6),
            "compile_seconds_left": None if left is None else round(left, 1),
        }


def _duration(seconds: float) -> str:
    if seconds < 90.0:
        whole = max(1, round(seconds))
        return f"{whole} second{'' if whole == 1 else 's'}"
    return f"{round(seconds / 60.0)} minutes"
