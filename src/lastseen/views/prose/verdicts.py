"""What a verification of guards found, in words; the command and the studio show the same."""

from __future__ import annotations

from ...reasoning.placement.verify.verify import Verification


def limit_text(found: Verification) -> str:
    """Return the time limit that all results hold for."""
    return f"{found.settings.seconds:.4g} s"


def check_text(found: Verification) -> str:
    """Return whether the intended path can be walked unseen, and why; "" if that was not checked."""
    if found.check is None:
        return ""
    return f"{'can' if found.check else 'cannot'} be walked unseen: {found.check.why}"


def exact_text(found: Verification) -> str:
    """Return what the exact search found; "" if it was not requested."""
    exact = found.exact
    if exact is None:
        few = "left out, cells, moments and guards are too many for it"
        return few if found.settings.solver == "auto" else ""
    if exact.found:
        return f"earliest arrival {exact.seconds:.4g} s"
    cells = f"cells of {found.ground.cell:g} m"
    if found.solutions:
        return f"no path over {cells} within {limit_text(found)}, although finer paths exist"
    return f"no path over {cells} exists within {limit_text(found)}"


def solvable_text(found: Verification) -> str:
    """Return whether the level can be solved within the time limit."""
    words = {True: "yes", False: "no", None: "unknown: nothing was found, and the search was not exact"}
    return words[found.solvable]


def fact_rows(found: Verification) -> list[tuple[str, str]]:
    """Return the facts that all runs depend on as rows of a table."""
    rows = [
        ("time limit", limit_text(found)),
        ("solvable", solvable_text(found)),
        ("intended path", check_text(found)),
        ("exact search", exact_text(found)),
    ]
    return [row for row in rows if row[1]]
