"""Check whether the intended path can be walked unseen at some timing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ....checks import finite_number, instance_of
from ....conventions import Floats
from ....errors import InputError
from ....kernels.spacetime.space_time_lines import LeashArrays
from ....level.level import Level
from ....navmesh.query import find_paths
from ..coverage import path_samples
from ..detection import guard_label
from ..guard_ground import settled_line, several_paths, xyz_text
from ..guard_routes import GuardRoute, Placement
from ..placement_settings import VerifySettings
from .sneak_ground import ON_LINKS, LinkGraph, SneakGround, leash_to
from .solver import ExactAnswer, Question, search_links


@dataclass(frozen=True, eq=False)
class Passability:
    """Whether the intended path can be walked unseen; true in a condition if it can.

    Attributes
    ----------
    why : explanation as text.
    path : (n, 4) a path with the earliest arrival: x, y, z, seconds; empty if there is none.
    strict : whether it never leaves the intended path.
    """

    passes: bool
    why: str
    path: Floats
    strict: bool = False

    def __bool__(self) -> bool:
        return self.passes


class PathCheck:
    """Checks whether guards leave the intended path passable; created once for many placements.

    Exact in space and time: first over the path alone (a player may wait or turn back), then over all cells within
    `width` metres of it. Can be passed to `place_guards` as its check.
    """

    def __init__(
        self, level: Level | SneakGround, path: Any, *, width: float = 1.0, settings: VerifySettings | None = None
    ) -> None:
        self.ground = level if isinstance(level, SneakGround) else SneakGround(level)
        drawn = settled_path(self.ground, path)
        self.path = _walked(self.ground, drawn)
        self.width = finite_number(width, "width", unit="m", low=0.0, high=1000.0)
        given = VerifySettings() if settings is None else settings
        chosen = instance_of(given, VerifySettings, "settings", "give VerifySettings")
        self.settings = chosen.limited(path_length(drawn))

    def __call__(self, routes: Placement | Sequence[GuardRoute]) -> bool:
        """Return whether the path is passable."""
        return self.ask(routes).passes

    def ask(self, routes: Placement | Sequence[GuardRoute]) -> Passability:
        """Return whether the path is passable, why, and how."""
        # What few looks find impossible is impossible with more of them, and most placements that fail do so soon.
        if self.settings.substeps > 1:
            rough = self._asked(routes, replace(self.settings, substeps=1))
            if not rough:
                return rough
        return self._asked(routes, self.settings)

    def _asked(self, routes: Placement | Sequence[GuardRoute], settings: VerifySettings) -> Passability:
        nowhere = np.zeros((0, 4))
        question = Question.make(self.ground, routes, self.path[0], self.path[-1], settings)
        at_once = question.start_seen()
        if at_once:
            return Passability(False, at_once, nowhere)
        answer = self._along(question)
        if answer.found:
            return Passability(True, f"on the path itself, in {answer.seconds:.4g} s", answer.path, strict=True)
        if self.width > 0.0:
            answer = self._near(question)
            if answer.found:
                words = f"within {self.width:g} m of the path, in {answer.seconds:.4g} s"
                return Passability(True, words, answer.path)
        return Passability(False, self._reason(question, answer), nowhere)

    def _along(self, question: Question) -> ExactAnswer:
        """Search the path itself, cut into pieces of at most one step at top speed."""
        places = path_samples(self.path, self.settings.speed * self.settings.step)
        begin = np.arange(len(places) - 1)
        return search_links(question, LinkGraph(places, begin, begin + 1), 0, len(places) - 1, ON_LINKS)

    def _near(self, question: Question) -> ExactAnswer:
        """Search the cells near the path on its storeys: stacked floors are further apart than a body's height."""
        return search_links(question, *self._cells_near, self._leash)

    @cached_property
    def _leash(self) -> LeashArrays:
        return leash_to(self.path, self.width, self.ground.mesh.body.height)

    @cached_property
    def _cells_near(self) -> tuple[LinkGraph, int, int]:
        """The links near the path, its start and its end."""
        return self.ground.joined(self.path[0], self.path[-1], self._leash)

    def _reason(self, question: Question, answer: ExactAnswer) -> str:
        """Return how far a player gets, and which guard sees a player that runs along the path."""
        length = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(self.path, axis=0), axis=1))]
        hurrying = np.column_stack([self.path, length / self.settings.speed])
        views = question.views
        seen = views.first_seen(hurrying[hurrying[:, 3] <= views.seconds[-1]], substeps=self.settings.substeps)
        words = f"no player gets through unseen within {self.width:g} m of the path and {self.settings.seconds:g} s"
        if hurrying[-1, 3] > views.seconds[-1]:
            return f"{words}: the path takes {hurrying[-1, 3]:.4g} s at {self.settings.speed:g} m/s"
        if seen is None or not answer.reached.any():
            return words
        guard = guard_label(views.routes, seen.guard)
        return f"{words}; {guard} sees a player that sets out at once after {seen.seconds:.3g} s"


class PathChecks:
    """Checks that guards leave each of several intended paths passable; used like a `PathCheck`."""

    def __init__(
        self, level: Level | SneakGround, paths: Any, *, width: float = 1.0, settings: VerifySettings | None = None
    ) -> None:
        ground = level if isinstance(level, SneakGround) else SneakGround(level)
        self.checks = [PathCheck(ground, path, width=width, settings=settings) for path in several_paths(paths)]

    def __call__(self, routes: Placement | Sequence[GuardRoute]) -> bool:
        """Return whether all paths are passable."""
        return all(check(routes) for check in self.checks)

    def ask(self, routes: Placement | Sequence[GuardRoute]) -> Passability:
        """Return whether all paths are passable, why, and how the first is."""
        found = [check.ask(routes) for check in self.checks]
        if len(found) == 1:
            return found[0]
        why = "; ".join(
            f"path {number + 1} {'can' if one else 'cannot'}, {one.why}" for number, one in enumerate(found)
        )
        return Passability(all(found), why, found[0].path, all(one.strict for one in found))


def settled_path(ground: SneakGround, path: Any) -> Floats:
    """Return an intended path on the floor, (n, 3).

    Raises InputError as `settled_line` does, or if the player does not fit through.
    """
    points, _ = settled_line(ground.bare, path)
    names = [f"point {number + 1} of the intended path" for number in range(len(points))]
    places = [ground.settled(point, name) for point, name in zip(points, names)]
    for here, there in pairwise(places):
        ground.together(here, there)
    line = np.array([place for place, _ in places])
    straight = np.linalg.norm(np.diff(line, axis=0), axis=1)
    longer = find_paths(ground.mesh, line[:-1], line[1:]).length - straight
    # A path drawn close to a corner leads a body with a radius slightly around it.
    for number in np.flatnonzero(longer > 0.5 + 4.0 * ground.radius).tolist()[:1]:
        raise InputError(
            f"the player (radius {ground.radius:g} m) does not fit between points {number + 1}, "
            f"{xyz_text(line[number])}, and {number + 2}, {xyz_text(line[number + 1])}, of the intended path; move it "
            "where there is room, or reduce the player's radius"
        )
    return line


def path_length(path: Floats) -> float:
    """Return the length of a path (n, 3) in metres."""
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def _walked(ground: SneakGround, path: Floats) -> Floats:
    """Return a path as the player's body walks it: around corners it was drawn close to."""
    legs = find_paths(ground.mesh, path[:-1], path[1:])
    return np.concatenate([path[:1], *(leg.points_xyz[1:] for leg in legs)])


def passable(
    level: Level | SneakGround,
    path: Any,
    routes: Placement | Sequence[GuardRoute],
    *,
    width: float = 1.0,
    settings: VerifySettings | None = None,
) -> Passability:
    """Check whether the intended path can be walked unseen at some timing; see `PathCheck`.

    Parameters
    ----------
    path : (n, 2 or 3) metres, or an `IntendedPath`.
    width : metres a player may leave the path; 0: not at all.
    settings : `seconds`, `step`, `substeps`, `speed`, `seen_at` and `contact` are used.
    """
    return PathCheck(level, path, width=width, settings=settings).ask(routes)
