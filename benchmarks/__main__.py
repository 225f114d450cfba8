"""`python -m benchmarks [--json] [FILE…] [WORD…]`: run comparisons; exit 1 if one misses.

FILE: only those of `bench_FILE.py`, as in `python -m benchmarks belief`; WORD: only those whose name contains one of
the words. Without a FILE all files are loaded, which takes a while.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

from .harness import Agreed, Agreement, Comparison, Outcome, agree, measure


def main(arguments: list[str]) -> int:
    if unknown := [word for word in arguments if word.startswith("-") and word != "--json"]:
        print(__doc__ if unknown[0] in ("-h", "--help") else f"unknown option {unknown[0]}; {__doc__}")
        return 0 if unknown[0] in ("-h", "--help") else 2
    as_json = "--json" in arguments
    words = [word for word in arguments if not word.startswith("-")]
    files = [path.stem.removeprefix("bench_") for path in sorted(Path(__file__).parent.glob("bench_*.py"))]
    asked = [file for file in files if file in words] or files
    words = [word for word in words if word not in files]
    outcomes: list[Outcome | Agreed] = []
    for file in asked:
        module = importlib.import_module(f"benchmarks.bench_{file}")
        for comparison in module.comparisons():
            if isinstance(comparison, str):
                print(f"skipped  {comparison}", file=sys.stderr)
            elif not words or any(word in comparison.name for word in words):
                outcomes.append(agree(comparison) if isinstance(comparison, Agreement) else measure(comparison))
                if not as_json:
                    print(_line(outcomes[-1]), flush=True)
    if as_json:
        print(json.dumps([_record(outcome) for outcome in outcomes], indent=2))
    return 0 if all(outcome.passed for outcome in outcomes) else 1


def _line(outcome: Outcome | Agreed) -> str:
    verdict = "ok    " if outcome.passed else "MISSED"
    if isinstance(outcome, Agreed):
        same = outcome.agreement
        return (
            f"{verdict} {same.name}: {outcome.difference:+.2%} of {same.peer_name} (within {same.within:.3g}; "
            f"{outcome.ours:.6g}{same.unit} against {outcome.peer:.6g}{same.unit})"
        )
    what = outcome.comparison
    if outcome.peer is None:
        return (
            f"{verdict} {what.name}: {_time(outcome.ours)} (limit {_time(what.at_most)}){_share(outcome)}{_parts(what)}"
        )
    return (
        f"{verdict} {what.name}: {outcome.ratio:.3g} x {what.peer_name} (at most {what.at_most:.3g} x; "
        f"{_time(outcome.ours)} against {_time(outcome.peer)})"
    )


def _share(outcome: Outcome) -> str:
    """Return the share of a frame, where an item is a part of one."""
    frame = outcome.comparison.frame
    return f", {outcome.ours / frame:.1%} of a frame at {1.0 / frame:.0f} Hz" if frame else ""


def _parts(what: Comparison) -> str:
    """Return the time by part, where it is known."""
    if what.parts is None:
        return ""
    return "; mean " + ", ".join(f"{name} {_time(seconds)}" for name, seconds in what.parts().items())


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1.0:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _record(outcome: Outcome | Agreed) -> dict[str, object]:
    if isinstance(outcome, Agreed):
        return {
            "name": outcome.agreement.name,
            "peer": outcome.agreement.peer_name,
            "ours": outcome.ours,
            "theirs": outcome.peer,
            "difference": outcome.difference,
            "within": outcome.agreement.within,
            "passed": outcome.passed,
        }
    return {
        "name": outcome.comparison.name,
        "peer": outcome.comparison.peer_name,
        "seconds": outcome.ours,
        "peer_seconds": outcome.peer,
        "ratio": outcome.ratio,
        "at_most": outcome.comparison.at_most,
        "passed": outcome.passed,
    } | ({} if outcome.comparison.parts is None else {"parts": dict(outcome.comparison.parts())})


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
