"""Place guards so that the intended path stays possible without being the only one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from ....checks import instance_of, seed_of, shown, whole_number
from ....conventions import Progress
from ....errors import InputError
from ....level.level import Level
from ....rng import generator
from ..coverage import Watch
from ..guard_ground import GuardGround
from ..guard_routes import GuardKind, GuardRoute, Placement, guard_kind
from ..placement_settings import PlacementSettings
from .candidates import Candidate, Candidates, choose_together
from .partition import Partition, partition, radius_range
from .segments import draw_segments
from .sight_graph import SightGraph, sight_graph

Check = Callable[[tuple[GuardRoute, ...]], bool]
"""Returns whether guards are acceptable, such as whether the intended path stays passable."""

Report = Callable[[str, float], None]

MOST_GUARDS = 500
MOST_DRAWN = 240
"""Guards drawn for a check before giving up, in all draws: crowds are drawn less often, for time's sake."""


def place_guards(
    level: Level,
    path: Any,
    guards: int,
    *,
    kinds: str | GuardKind | Iterable[str | GuardKind] = "walking",
    settings: PlacementSettings | None = None,
    seed: int = 0,
    check: Check | None = None,
    progress: Progress = None,
) -> Placement:
    """Place guards on a level for a path players are meant to take.

    Parameters
    ----------
    path : the intended path: (n, 2 or 3) positions in metres, or an `IntendedPath`; or a list of several.
    guards : how many, 1 … 500.
    kinds : kinds of guards or names of archetypes; guards take them in turn.
    check : called with the routes. If it rejects guards chosen together, those placed one by one in the same draw are
        tried, and then new draws, up to `settings.redraws` times. If none passes, guards of the last draw are returned
        with `passed` False and a note.
    progress : called with the name of a stage and the share done.

    Raises
    ------
    InputError
        The path leaves the level, guards do not fit, or no walk is within the cost limits.
    """
    planner = GuardPlanner(level, path, kinds=kinds, settings=settings, seed=seed, progress=progress)
    return planner.place(guards, seed=seed, check=check, progress=progress)


class GuardPlanner:
    """A level prepared for placing guards any number of times without packing it again.

    Attributes
    ----------
    ground, partition, graph, candidates : see their classes.
    """

    def __init__(
        self,
        level: Level,
        path: Any,
        *,
        kinds: str | GuardKind | Iterable[str | GuardKind] = "walking",
        settings: PlacementSettings | None = None,
        seed: int = 0,
        progress: Progress = None,
    ) -> None:
        given = PlacementSettings() if settings is None else settings
        self.settings = instance_of(given, PlacementSettings, "settings", "give PlacementSettings")
        self.kinds = _kinds(kinds)
        report = progress or _silent
        report("ground", 0.0)
        self.ground = GuardGround(level, path, body=self.settings.body)
        smallest, largest = radius_range(self.kinds, notice=self.settings.notice, coarseness=self.settings.coarseness)
        report("packing", 0.0)
        self.partition: Partition = partition(self.ground, smallest, largest, method=self.settings.packing, seed=seed)
        eye = min(kind.eye_height for kind in self.kinds)
        self.graph: SightGraph = sight_graph(self.ground, self.partition, eye_height=eye, progress=progress)
        self.candidates = Candidates(self.ground, self.graph, self.settings)

    def with_settings(self, settings: PlacementSettings) -> GuardPlanner:
        """Return a planner with other costs on the same packing; raise InputError if they need another packing."""
        other = copy(self)
        other.settings = instance_of(settings, PlacementSettings, "settings", "give PlacementSettings")
        for name in ("packing", "notice", "coarseness", "body"):
            if getattr(settings, name) != getattr(self.settings, name):
                raise InputError(f"{name} differs from this planner's packing; create a new GuardPlanner")
        other.candidates = Candidates(self.ground, self.graph, settings, self.watch)
        return other

    @property
    def watch(self) -> Watch:
        """Samples of the floor and the path, for measuring what guards see."""
        return self.candidates.watch

    def place(self, guards: int, *, seed: int = 0, check: Check | None = None, progress: Progress = None) -> Placement:
        """Place guards; see `place_guards`."""
        guards, seed = whole_number(guards, "guards", low=1), seed_of(seed)
        self._require_room(guards)
        if check is not None and not callable(check):
            raise InputError(
                f"check is {shown(check)}; give a function of the routes that returns True or False, or None"
            )
        notes, turned_down = self.notes(), 0
        draws = self.draws(guards) if check is not None else 1
        for number in range(draws):
            report = _of_draw(progress or _silent, number, draws)
            drawn = self._draw(guards, generator(seed, f"placement {number}"), report)
            if check is not None:
                report("check", 1.0)
            passing = next((k for k, one in enumerate(drawn) if check is None or check(_named(one))), None)
            turned_down += len(drawn) if passing is None else passing
            if passing is not None:
                break
        if passing is None:
            notes.append(
                f"none of {turned_down} placements passed the check; this is the last draw: raise the path cost, "
                "use fewer guards or a shorter view"
            )
        elif turned_down:
            words = "placement was" if turned_down == 1 else "placements were"
            notes.append(f"{turned_down} {words} rejected by the check before this one")
        found, passed = drawn[passing or 0], None if check is None else passing is not None
        seen = self.watch.of_shares(np.array([one.share for one in found]))
        if seen.ever == 0.0:
            longest = max(one.route.kind.view_distance for one in found)
            words = f"no guard sees any of {seen.samples} places on the floor: views reach {longest:g} m"
            notes.append(f"{words}; give a longer view")
        return Placement(_named(found), seed, self.settings, tuple(notes), seen, passed)

    def draws(self, guards: int) -> int:
        """Return how many placements of so many guards are drawn for a check before giving up."""
        return min(self.settings.redraws, max(2, MOST_DRAWN // guards))

    def _require_room(self, guards: int) -> None:
        if guards > MOST_GUARDS:
            raise InputError(f"{guards} guards are too many; give 1 to {MOST_GUARDS}")
        staying = sum(not self._kind(number).walks for number in range(guards))
        if staying > len(self.partition):
            raise InputError(
                f"{staying} stationary guards do not fit into {len(self.partition)} places; use fewer, or reduce the "
                "smallest radius (passive perception)"
            )

    def _kind(self, number: int) -> GuardKind:
        return self.kinds[number % len(self.kinds)]

    def _draw(self, guards: int, random: np.random.Generator, report: Report) -> list[list[Candidate]]:
        """Return guards chosen together, if requested, and then the same draw's guards one by one.

        So if the latter pass a check, the draw passes it.
        """
        kinds = [self._kind(number) for number in range(guards)]
        if self.settings.routes == "segments":
            return [draw_segments(self.graph, self.watch, kinds, random)]
        if not self.settings.together:
            return [self._in_turn(kinds, random, report, apart=True)]
        try:
            first = self._in_turn(kinds, random, report, apart=True)
        except InputError:
            # The costs of earlier guards may leave no room; guards chosen together have no such costs.
            first = self._in_turn(kinds, random, report, apart=False)
        self.candidates.walker.forget()
        pool = first.copy()
        for number, kind in enumerate(kinds):
            for _ in range(self.settings.candidates):
                report("candidates", number / guards)
                pool += self.candidates.draw_all(kind, random)
        chosen = choose_together(pool, guards, len(self.watch.places), self.settings.spare_path)
        return [[pool[number] for number in chosen.tolist()], first]

    def _in_turn(
        self, kinds: Sequence[GuardKind], random: np.random.Generator, report: Report, *, apart: bool
    ) -> list[Candidate]:
        """Draw one guard after the other; `apart`: links near earlier guards cost more."""
        walker, found = self.candidates.walker, list[Candidate]()
        walker.forget()
        for number, kind in enumerate(kinds):
            report("walks", number / len(kinds))
            try:
                walk, route, share = self.candidates.draw(kind, random)
            except InputError as error:
                raise InputError(f"only {number} of {len(kinds)} guards could be placed: {error}") from None
            if apart:
                walker.add_guard(walk)
            elif walk.place >= 0:
                walker.occupy([walk.place])
            found.append(Candidate(route, share, walk.place))
        return found

    def notes(self) -> list[str]:
        """Return notes that apply to any guards on this level."""
        ground, notes = self.ground, []
        if ground.left_out > 1e-3 * ground.area:
            share = 100.0 * ground.left_out / (ground.area + ground.left_out)
            notes.append(f"{share:.2g} % of the floor cannot be reached from the path and gets no guards")
        alone = int((self.graph.degree[: len(self.partition)] == 0).sum())
        if alone:
            notes.append(f"{alone} of {len(self.partition)} places are connected to no other and lie on no route")
        return notes


def _kinds(given: str | GuardKind | Iterable[str | GuardKind]) -> tuple[GuardKind, ...]:
    several: Sequence[Any]
    if isinstance(given, str | GuardKind):
        several = [given]
    else:
        try:
            several = list(given)
        except TypeError:
            raise InputError(f"kinds is {shown(given)}; give kinds of guards or their names") from None
    if not several:
        raise InputError("kinds is empty; give at least one kind of guard, such as 'walking'")
    return tuple(kind if isinstance(kind, GuardKind) else guard_kind(kind) for kind in several)


def _named(found: Sequence[Candidate]) -> tuple[GuardRoute, ...]:
    return tuple(replace(one.route, name=f"guard {number + 1}") for number, one in enumerate(found))


def _of_draw(report: Report, number: int, draws: int) -> Report:
    """Return a progress callback that names the draw, from the second on."""
    return (lambda stage, share: report(f"{stage}, draw {number + 1} of up to {draws}", share)) if number else report


def _silent(_stage: str, _share: float) -> None:
    """Ignore progress."""
