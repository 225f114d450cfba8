"""Check whether the intended path can be walked unseen at some timing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks import finite_number, instance_of
from ....conventions import Floats
from ....level.level import Level
from ....navmesh.query import find_paths
from ..coverage import path_samples
from ..detection import guard_label
from ..guard_routes import GuardRoute, Placement
from ..placement_settings import VerifySettings
from .sneak_ground import ON_LINKS, LinkGraph, SneakGround, leash_to
from .solver import ExactAnswer, Question, search_links
from .verify import settled_path


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
        self.path = _walked(self.ground, settled_path(self.ground, path))
        self.width = finite_number(width, "width", unit="m", low=0.0, high=1000.0)
        given = VerifySettings() if settings is None else settings
        self.settings = instance_of(given, VerifySettings, "settings", "give VerifySettings")

    def __call__(self, routes: Placement | Sequence[GuardRoute]) -> bool:
        """Return whether the path is passable."""
        return self.ask(routes).passes

    def ask(self, routes: Placement | Sequence[GuardRoute]) -> Passability:
        """Return whether the path is passable, why, and how."""
        nowhere = np.zeros((0, 4))
        question = Question.make(self.ground, routes, self.path[0], self.path[-1], self.settings)
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
        leash = leash_to(self.path, self.width, self.ground.mesh.body.height)
        graph, here, there = self.ground.joined(self.path[0], self.path[-1], leash)
        return search_links(question, graph, here, there, leash)

    def _reason(self, question: Question, answer: ExactAnswer) -> str:
        """Return how far a player gets, and which guard sees a player that runs along the path."""
        length = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(self.path, axis=0), axis=1))]
        hurrying = np.column_stack([self.path, length / self.settings.speed])
        views = question.views
        seen = views.first_seen(hurrying[hurrying[:, 3] <= views.seconds[-1]])
        words = f"no player gets through unseen within {self.width:g} m of the path and {self.settings.seconds:g} s"
        if hurrying[-1, 3] > views.seconds[-1]:
            return f"{words}: the path takes {hurrying[-1, 3]:.4g} s at {self.settings.speed:g} m/s"
        if seen is None or not answer.reached.any():
            return words
        guard = guard_label(views.routes, seen.guard)
        return f"{words}; {guard} sees a player that sets out at once after {seen.seconds:.3g} s"


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
    settings : `seconds`, `step`, `substeps`, `speed` and `seen_at` are used.
    """
    return PathCheck(level, path, width=width, settings=settings).ask(routes)
