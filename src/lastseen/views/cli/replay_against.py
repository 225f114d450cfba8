"""Compare two recordings and print where they diverge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ...simulation.recording.recording import Recording
    from ...simulation.replay.comparison import Comparison

__all__ = ["tell_difference"]

_TOLD = 5
"""Events of each run that are printed."""


def tell_difference(one: Recording, against: str, *, as_json: bool) -> None:
    """Print where a recording and the one in the file `against` diverge."""
    from ...simulation.recording.recording import Recording
    from ...simulation.replay.comparison import compare

    other = Recording.read(against)
    if other.fault:
        click.echo(f"note: {against}: {other.fault}", err=True)
    found = compare(one, other)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2, allow_nan=False))
        return
    for line in _lines(found):
        click.echo(line)


def _lines(found: Comparison) -> Iterator[str]:
    names = _names(found)
    if found.is_same:
        yield f"the same run: {found.steps[0]} steps, {found.steps[0] * found.step:.1f} s"
        return
    yield f"A  {names[0]}: {_length(found, 0)}"
    yield f"B  {names[1]}: {_length(found, 1)}"
    for one in found.settings:
        yield f"{one.what}: " + ("different" if one.one == one.other else f"A {one.one} / B {one.other}")
    if found.cannot:
        yield f"cannot be compared step by step: {found.cannot}"
        return
    yield from _first(found)
    for apart in found.apart:
        if apart.metres > 0.0 or apart.same_state < 1.0:
            yield (
                f"{apart.agent}: up to {apart.metres:.1f} m apart, at {apart.tick * found.step:.1f} s; "
                f"in the same state for {100.0 * apart.same_state:.0f} % of {found.compared * found.step:.1f} s"
            )
    yield f"events: {found.only_count[0]} only in A, {found.only_count[1]} only in B"
    for side, events in zip("AB", found.only):
        for event in events[:_TOLD]:
            yield f"{event.tick * found.step:7.1f} s  only in {side}: {event.text or f'{event.agent} {event.kind}'}"


def _first(found: Comparison) -> Iterator[str]:
    if found.tick is None:
        yield f"no visible difference in the {found.compared} steps they share"
    else:
        yield f"first difference: step {found.tick}, {found.tick * found.step:.2f} s"
        for one in found.first:
            whom = f"{one.agent}, " if one.agent else ""
            yield f"  {whom}{one.what}: A {one.one} / B {one.other}"
    if found.digest_tick is not None and found.digest_tick != found.tick:
        yield f"digests differ from step {found.digest_tick} on"


def _length(found: Comparison, side: int) -> str:
    ended = f", {found.ends[side]}" if found.ends[side] else ", did not end"
    return f"{found.steps[side]} steps{ended}"


def _names(found: Comparison) -> tuple[str, str]:
    """Return short names of both, with their folders if the names are equal."""
    one, other = (Path(source).name for source in found.sources)
    return (one, other) if one != other else found.sources
