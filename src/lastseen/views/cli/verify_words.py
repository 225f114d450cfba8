"""Format the result of `lastseen guards verify` as text and JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ...reasoning.placement.detection import guard_words
from ...reasoning.placement.placement_settings import VerifySettings
from ...reasoning.placement.verify.sneak_ground import at_words
from ...reasoning.placement.verify.solver import ExactAnswer
from ...reasoning.placement.verify.verification import Rate, Verification
from .verify_request import VerifyRequest

__all__ = ["as_lines", "as_object", "as_words", "settings_words"]


def as_words(request: VerifyRequest, found: Verification) -> str:
    """Return a few lines of text."""
    return "\n".join(as_lines(request, found))


def as_lines(request: VerifyRequest, found: Verification) -> list[str]:
    """Return the findings, one fact per line."""
    count = len(request.placement.routes)
    way = f"from {at_words(found.start)} to {at_words(found.goal)}"
    lines = [f"{request.title}: {count} guard{'' if count == 1 else 's'}, {way}, {found.settings.seconds:g} s"]
    if found.success.of:
        lines.append(f"runs that got through: {_rate(found.success)}")
    if found.exact is not None:
        lines.append(f"exact over cells x time: {_exact(found, found.exact)}")
    if found.solutions:
        arrival, length = ([getattr(each, name) for each in found.solutions] for name in ("seconds", "length"))
        lines.append(
            f"solutions: arrive after {min(arrival):.4g} to {max(arrival):.4g} s (median {np.median(arrival):.4g}), "
            f"{np.median(length):.4g} m long (median)"
        )
        shown = ", ".join(map(str, found.groups[:8])) + (" …" if len(found.groups) > 8 else "")
        lines.append(f"groups of similar solutions: {len(found.groups)} ({shown})")
    if found.close.of:
        apart = [each.apart for each in found.solutions]
        lines.append(
            f"close to the intended path (within {found.settings.close:g} m): {_rate(found.close)}; "
            f"apart {min(apart):.3g} to {max(apart):.3g} m (median {np.median(apart):.3g})"
        )
    lines += _caught(request, found)
    share = found.danger.share
    lines.append(f"floor in view: {share.mean():.1%} on average, at most {share.max():.1%}")
    lines += [f"note: {note}" for note in (*request.placement.notes, *found.notes)]
    return lines


def settings_words(settings: VerifySettings) -> str:
    """Return all settings as text, with short numbers."""
    values = settings.as_object().items()
    return ", ".join(f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}" for name, value in values)


def _exact(found: Verification, exact: ExactAnswer) -> str:
    if exact.found:
        return f"earliest arrival {exact.seconds:.4g} s"
    cells = f"cells of {found.ground.cell:g} m"
    if found.solutions:
        return f"no path over {cells}, although finer paths exist"
    return f"no path over {cells} exists"


def _rate(rate: Rate) -> str:
    return f"{rate.hits} of {rate.of}, {rate.share:.1%} (95 %: {rate.low:.1%} to {rate.high:.1%})"


def _caught(request: VerifyRequest, found: Verification) -> list[str]:
    if not found.caught:
        return []
    seen = [one for one in found.caught if one is not None]
    if not seen:
        return [f"runs that failed: {len(found.caught)}, none seen by a guard (blocked by walls or out of time)"]
    times = [one.seconds for one in seen]
    who = Counter(one.guard for one in seen).most_common(3)
    names = ", ".join(f"{guard_words(request.placement.routes, guard)} {times}x" for guard, times in who)
    return [
        f"runs that failed: {len(found.caught)}, first seen after {min(times):.3g} to {max(times):.3g} s "
        f"(median {np.median(times):.3g}) by {names}"
    ]


def as_object(request: VerifyRequest, found: Verification) -> dict[str, Any]:
    """Return everything for JSON."""
    return {"level": request.title, "guards": len(request.placement.routes), **found.as_object()}
