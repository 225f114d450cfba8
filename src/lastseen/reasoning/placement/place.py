"""Where do guards belong, so that the intended path stays possible without being the only way?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...checks import seed_of, shown, thing_of, whole_number
from ...conventions import Floats, Progress
from ...errors import InputError
from ...level.level import Level
from ...rng import generator
from .coverage import Watch
from .graph import SightGraph, closeness, sight_graph
from .ground import GuardGround
from .partition import Partition, partition, radius_range
from .routes import GuardKind, GuardRoute, Placement, guard_kind
from .settings import PlacementSettings
from .walks import Walk, Walker

__all__ = ["Check", "GuardPlanner", "place_guards"]

Check = Callable[[tuple[GuardRoute, ...]], bool]
"""Says whether guards will do, such as: does the intended path stay passable?"""

MOST_GUARDS = 500
_TURNS = tuple(math.pi * eighth / 4.0 for eighth in range(8))


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
    path : the intended path: (n, 2 or 3) positions in metres, or an `IntendedPath`.
    guards : how many, 1 … 500.
    kinds : kinds of guards or names of archetypes; guards take them in turn.
    check : called with the routes; a placement it turns down is drawn anew, up to `settings.redraws` times. Where none
        passes, the last is returned with `passed` False and a note.
    progress : called with the name of a stage and the share done.

    Raises
    ------
    InputError
        The path leaves the level, guards do not fit, or no walk is within the costs.
    """
    planner = GuardPlanner(level, path, kinds=kinds, settings=settings, seed=seed, progress=progress)
    return planner.place(guards, seed=seed, check=check, progress=progress)


class GuardPlanner:
    """A level made ready for placing guards; asked again and again, it need not be packed anew.

    Attributes
    ----------
    ground, partition, graph : see their classes.
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
        self.settings = thing_of(given, PlacementSettings, "settings", "give PlacementSettings")
        self.kinds = _kinds(kinds)
        tell = progress or _silent
        tell("ground", 0.0)
        self.ground = GuardGround(level, path, body=self.settings.body)
        smallest, largest = radius_range(self.kinds, notice=self.settings.notice, coarseness=self.settings.coarseness)
        tell("packing", 0.0)
        self.partition: Partition = partition(self.ground, smallest, largest, method=self.settings.packing, seed=seed)
        eye = min(kind.eye_height for kind in self.kinds)
        self.graph: SightGraph = sight_graph(self.ground, self.partition, eye_height=eye, progress=progress)
        self._walker = Walker(self.ground, self.graph, self.settings)
        self._watch = Watch(self.ground)
        self._worth = self._worth_of_places()

    def place(self, guards: int, *, seed: int = 0, check: Check | None = None, progress: Progress = None) -> Placement:
        """Place guards; see `place_guards`."""
        guards, seed = whole_number(guards, "guards", low=1), seed_of(seed)
        self._require_room(guards)
        if check is not None and not callable(check):
            raise InputError(f"check is {shown(check)}; give a function of the routes that says True or False, or None")
        notes = self._notes()
        tries = self.settings.redraws if check is not None else 1
        passed: bool | None = None
        for number in range(tries):
            routes, shares = self._draw(guards, generator(seed, f"placement {number}"), progress or _silent)
            passed = None if check is None else bool(check(routes))
            if passed is not False:
                notes += [f"{number} placements were turned down by the check before this one"] * (number > 0)
                break
        else:
            notes.append(
                f"none of {tries} placements passed the check; this is the last: raise the path cost, "
                "ask for fewer guards or give them a shorter view"
            )
        return Placement(routes, seed, self.settings, tuple(notes), self._watch.of_shares(shares), passed)

    def _require_room(self, guards: int) -> None:
        if guards > MOST_GUARDS:
            raise InputError(f"{guards} guards are too many; give 1 to {MOST_GUARDS}")
        staying = sum(not self._kind(number).walks for number in range(guards))
        if staying > len(self.partition):
            raise InputError(
                f"{staying} guards that stay do not fit into {len(self.partition)} places; ask for fewer, or make the "
                "smallest radius (passive perception) smaller"
            )

    def _kind(self, number: int) -> GuardKind:
        return self.kinds[number % len(self.kinds)]

    def _draw(
        self, guards: int, random: np.random.Generator, tell: Callable[[str, float], None]
    ) -> tuple[tuple[GuardRoute, ...], Floats]:
        """Return routes and what each sees, (guards, samples)."""
        self._walker.forget()
        found = (self._together if self.settings.together else self._one_by_one)(guards, random, tell)
        named = (replace(route, name=f"guard {number + 1}") for number, (route, _) in enumerate(found))
        return tuple(named), np.array([share for _, share in found])

    def _candidate(self, kind: GuardKind, random: np.random.Generator) -> tuple[Walk, GuardRoute, Floats]:
        """Draw a round and what is seen on it; one that stays looks where that is worth most."""
        walk, route = self._walker.draw(kind, random)
        ways = [route]
        if route.stays and kind.opening < 2.0 * math.pi:
            ways = [replace(route, heading=route.heading + turn) for turn in _TURNS]
        shares = [self._watch.share(way) for way in ways]
        best = int(np.argmax([share @ self._worth for share in shares]))
        return walk, ways[best], shares[best]

    def _one_by_one(
        self, guards: int, random: np.random.Generator, tell: Callable[[str, float], None]
    ) -> list[tuple[GuardRoute, Floats]]:
        found: list[tuple[GuardRoute, Floats]] = []
        for number in range(guards):
            tell("walks", number / guards)
            try:
                walk, route, share = self._candidate(self._kind(number), random)
            except InputError as error:
                raise InputError(f"only {number} of {guards} guards could be placed: {error}") from None
            self._walker.add_guard(walk)
            found.append((route, share))
        return found

    def _together(
        self, guards: int, random: np.random.Generator, tell: Callable[[str, float], None]
    ) -> list[tuple[GuardRoute, Floats]]:
        """Draw many candidates of each kind, and take the one that adds most to what is seen, guard by guard.

        What one more guard adds never grows with those there are: the greedy choice is the usual one for such sums.
        """
        kinds = [self._kind(number) for number in range(guards)]
        pools: dict[GuardKind, _Pool] = {kind: _Pool([], [], []) for kind in kinds}
        for number, kind in enumerate(kinds):
            for _ in range(self.settings.candidates):
                tell("candidates", number / guards)
                pools[kind].add(*self._candidate(kind, random))
        unseen, found = np.ones(len(self._worth)), list[tuple[GuardRoute, Floats]]()
        used: set[int] = set()
        for number, kind in enumerate(kinds):
            best = pools[kind].take(self._worth * unseen, used)
            if best is None:
                # All places drawn for those who stay are taken by now: draw among the others.
                best = self._late(kind, number, guards, used, random)
            found.append(best)
            unseen = unseen * (1.0 - best[1])
        return found

    def _late(
        self, kind: GuardKind, number: int, guards: int, used: set[int], random: np.random.Generator
    ) -> tuple[GuardRoute, Floats]:
        """Draw a place that is not used."""
        self._walker.occupy(used)
        try:
            walk, route, share = self._candidate(kind, random)
        except InputError as error:
            raise InputError(f"only {number} of {guards} guards could be placed: {error}") from None
        used.add(int(walk.nodes[0]))
        return route, share

    def _worth_of_places(self) -> Floats:
        """Return what seeing each sample counts: 1 / n for floor, less the nearer the path, against it on the path."""
        places, path = self._watch.places, self._watch.path
        near = closeness(np.hstack([places, places]), self.ground.path, self._walker.lengths.drop_off)
        floor = (1.0 - near) / len(places)
        return np.concatenate([floor, np.full(len(path), -self.settings.spare_path / len(path))])

    def _notes(self) -> list[str]:
        ground, notes = self.ground, []
        if ground.left_out > 1e-3 * ground.area:
            share = 100.0 * ground.left_out / (ground.area + ground.left_out)
            notes.append(f"{share:.2g} % of the floor cannot be reached from the path and gets no guards")
        alone = int((self.graph.degree[: len(self.partition)] == 0).sum())
        if alone:
            notes.append(f"{alone} of {len(self.partition)} places lead to no other and are on no walk")
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


class _Pool(NamedTuple):
    """Candidates of one kind: their routes, what each sees, and the place of one that stays, else -1."""

    routes: list[GuardRoute]
    shares: list[Floats]
    places: list[int]

    def add(self, walk: Walk, route: GuardRoute, share: Floats) -> None:
        self.routes.append(route)
        self.shares.append(share)
        self.places.append(int(walk.nodes[0]) if len(walk.nodes) == 1 else -1)

    def take(self, worth: Floats, used: set[int]) -> tuple[GuardRoute, Floats] | None:
        """Take out the candidate that sees what is worth most; places `used` are out of the question."""
        free = [number for number, place in enumerate(self.places) if place not in used]
        if not free:
            return None
        best = free[int(np.argmax([self.shares[number] @ worth for number in free]))]
        if self.places[best] >= 0:
            used.add(self.places[best])
        del self.places[best]
        return self.routes.pop(best), self.shares.pop(best)


def _silent(_stage: str, _share: float) -> None:
    """Report nothing."""
