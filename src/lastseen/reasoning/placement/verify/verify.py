"""Verify whether players can get through a level with guards, and whether they take the intended path."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....cells.query import cells_at
from ....checks import instance_of, read_only
from ....conventions import Array, Floats, Progress
from ....errors import InputError
from ....level.level import Level
from ..coverage import path_samples
from ..detection import Danger, Sighting
from ..guard_ground import several_paths, xyz_text
from ..guard_routes import GuardRoute, Placement
from ..placement_settings import VerifySettings
from .items import MOST_COLLECTED, ItemFinding, collect_items, find_items, items_of
from .path_check import Passability, PathChecks, path_length, settled_path
from .rates import Rate, rate
from .similarity import cluster, distances, frechet
from .sneak_ground import SneakGround
from .solver import FEW_STAYS, ExactAnswer, Question, TreeRun, search_exactly, search_with_trees
from .takedowns import TakedownPlan, plan_takedowns

MOST_GROUPED = 300
"""Maximum number of solutions that are grouped: the first ones."""


@dataclass(frozen=True, eq=False)
class Solution:
    """A path on which no guard sees the player.

    Attributes
    ----------
    run : the run of random trees that found it; -1: the exact search.
    path : (n, 4) x, y, z on the floor, seconds; between its points the player moves uniformly, or waits.
    apart : Fréchet distance from the intended path, the nearest of several, metres; NaN if none was given.
    group : number of its group of similar paths; -1: not grouped.
    """

    run: int
    path: Floats
    apart: float = math.nan
    group: int = -1

    @property
    def seconds(self) -> float:
        """Time of arrival."""
        return float(self.path[-1, 3])

    @property
    def length(self) -> float:
        """Length in metres."""
        return float(np.linalg.norm(np.diff(self.path[:, :3], axis=0), axis=1).sum())

    def at(self, seconds: float) -> Floats:
        """Return the position at a moment, (3,); after its end, the goal."""
        return np.array([np.interp(seconds, self.path[:, 3], self.path[:, axis]) for axis in range(3)])


@dataclass(frozen=True, eq=False)
class Verification:
    """Whether and how a level with guards can be sneaked through.

    Attributes
    ----------
    solutions : paths found by random trees, at most one per run, in order of runs.
    success : runs that got through within `settings.seconds`; empty if the solver is "exact". If `solvable` is False,
        none can.
    guided : how many of them needed a guide: the path of the path check or of the exact search.
    close : solutions close to the intended path; empty if no path was given.
    groups : number of solutions in each group of similar paths.
    exact : the earliest path over cells × time; None if not requested, or left out because the level is large.
    check : whether the intended path can be walked unseen; None if there is none, or not requested.
    caught : for every failed run, the first sighting among its discarded branches, None if never seen.
    danger : danger of the floor, over time and by cell.
    items : the items of the level, and how they are found.
    collected : (n, 4) an unseen path that takes all items on the way, empty if none was found; None: not searched, as
        there are none or more than six, or the level is large.
    takedowns : guards that a player takes out to get through; None: not requested, or none helps.
    heat : (cells,) 0 … 1, share of the solutions that pass each cell.
    start, goal : (3,) as settled on the floor.
    paths : the intended paths, (n, 3) each; empty if none was given. Players go from start to end of the first.
    notes : remarks.
    stopped : whether it was interrupted; the results then cover the finished runs.
    """

    ground: SneakGround
    settings: VerifySettings
    start: Floats
    goal: Floats
    paths: tuple[Floats, ...]
    solutions: tuple[Solution, ...]
    success: Rate
    guided: int
    close: Rate
    groups: tuple[int, ...]
    exact: ExactAnswer | None
    check: Passability | None
    caught: tuple[Sighting | None, ...]
    danger: Danger
    heat: Floats
    items: tuple[ItemFinding, ...] = ()
    collected: Floats | None = None
    takedowns: TakedownPlan | None = None
    notes: tuple[str, ...] = ()
    stopped: bool = False

    @property
    def intended(self) -> Floats | None:
        """The first intended path, (n, 3); None if none was given."""
        return self.paths[0] if self.paths else None

    @property
    def solvable(self) -> bool | None:
        """Whether there is a path within the time limit: True if one was found, False if the exact search found none,
        else None.
        """
        if self.solutions or (self.exact is not None and self.exact.found) or self.check:
            return True
        return None if self.exact is None else False

    def as_object(self) -> dict[str, Any]:
        """Return it for JSON, without the arrays of cells."""
        exact = self.exact
        return {
            "solvable": self.solvable,
            "stopped": self.stopped,
            "seconds": self.settings.seconds,
            "success": self.success.as_object(),
            "guided": self.guided,
            "close": None if self.intended is None else self.close.as_object(),
            "groups": list(self.groups),
            "path_check": None if self.check is None else {"passes": self.check.passes, "why": self.check.why},
            "exact": None if exact is None else {"found": exact.found, "seconds": _number(exact.seconds)},
            "items": [each.as_object() for each in self.items],
            "collected": None if self.collected is None else self.collected.round(6).tolist(),
            "takedowns": None if self.takedowns is None else self.takedowns.as_object(),
            "solutions": [
                {
                    "run": each.run,
                    "seconds": round(each.seconds, 6),
                    "length": round(each.length, 6),
                    "apart": _number(each.apart),
                    "group": each.group,
                    "path": each.path.round(6).tolist(),
                }
                for each in self.solutions
            ],
            "caught": [
                None if one is None else {"seconds": round(one.seconds, 6), "xyz": list(one.xyz), "guard": one.guard}
                for one in self.caught
            ],
            "danger": {
                "mean": round(float(self.danger.share.mean()), 6),
                "most": round(float(self.danger.share.max()), 6),
                "step": self.settings.step,
                "share": self.danger.share.round(6).tolist(),
            },
            "start": self.start.tolist(),
            "goal": self.goal.tolist(),
            "settings": self.settings.as_object(),
            "notes": list(self.notes),
        }


def _number(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None


def verify(
    level: Level | SneakGround,
    guards: Placement | Sequence[GuardRoute],
    start: Any = None,
    goal: Any = None,
    *,
    path: Any = None,
    width: float = 1.0,
    settings: VerifySettings | None = None,
    partial: bool = False,
    progress: Progress = None,
) -> Verification:
    """Try many times to sneak through a level with guards.

    Parameters
    ----------
    level : a level, or a `SneakGround` made from one, which is cheaper for verifying many placements.
    guards : a placement, or routes.
    start, goal : (x, y) or (x, y, z) metres; by default the ends of `path`.
    path : the intended path, (n, 2 or 3) metres or an `IntendedPath`, or a list of several.
    width : metres a player may leave the intended path and still count as on it, for its check.
    settings : see `VerifySettings`.
    partial : an interrupt (Ctrl-C) keeps the results so far, if any run has finished.
    progress : called with the current stage and the share done.

    Raises
    ------
    InputError
        Start, goal or path is off the floor or on different pieces of it, or the start is in view at once.
    """
    ground = level if isinstance(level, SneakGround) else SneakGround(level)
    chosen = (
        VerifySettings()
        if settings is None
        else instance_of(settings, VerifySettings, "settings", "give VerifySettings")
    )
    paths = () if path is None else tuple(settled_path(ground, one) for one in several_paths(path))
    intended = paths[0] if paths else None
    begin, end = _ends(start, goal, intended)
    if intended is not None:
        chosen = chosen.limited(max(map(path_length, paths)))
    question = Question.ask(ground, guards, begin, end, chosen)
    chosen = question.settings
    _report(progress, "intended path", 0.0)
    check = _checked_path(question, guards, path, width) if start is goal is None else None
    runs, exact, stopped = _searched(question, check, partial, progress)
    _report(progress, "danger", 0.95)
    cells = ground.layout.arrays.cell_xyz.astype(np.float64)
    solutions = _compared([Solution(n, run.path) for n, run in enumerate(runs) if run.found], paths, chosen.close)
    near = sum(each.apart <= chosen.close for each in solutions)
    groups = Counter(each.group for each in solutions if each.group >= 0)
    small = is_small(question)
    fights = chosen.takedowns and not (check or solutions or (exact is not None and exact.found))
    _report(progress, "items", 0.98)
    return Verification(
        ground=ground,
        settings=chosen,
        start=question.start,
        goal=question.goal,
        paths=paths,
        solutions=solutions,
        success=rate(len(solutions), len(runs)),
        guided=sum(run.found and run.guided for run in runs),
        close=rate(near, len(solutions) if intended is not None else 0),
        groups=tuple(count for _, count in sorted(groups.items())),
        exact=exact,
        check=check,
        caught=tuple(run.caught for run in runs if not run.found),
        danger=question.views.danger(cells),
        heat=read_only(_heat(ground, [each.path for each in solutions], exact, len(cells))),
        items=find_items(ground.level, question, [each.path for each in solutions], exactly=small),
        collected=_collected(question) if small else None,
        takedowns=plan_takedowns(question, chosen.takedowns) if fights and small else None,
        notes=_notes(question, runs, exact, check, intended, stopped),
        stopped=stopped,
    )


def _ends(start: Any, goal: Any, intended: Floats | None) -> tuple[Any, Any]:
    if intended is None and (start is None or goal is None):
        missing = "start" if start is None else "goal"
        raise InputError(f"there is no {missing}; give start and goal, or the intended path")
    return (
        intended[0] if start is None and intended is not None else start,
        intended[-1] if goal is None and intended is not None else goal,
    )


def _checked_path(question: Question, guards: Any, path: Any, width: float) -> Passability | None:
    if path is None or question.settings.solver == "rrt":
        return None
    return PathChecks(question.ground, path, width=width, settings=question.settings).ask(guards)


def _searched(
    question: Question, check: Passability | None, partial: bool, progress: Progress
) -> tuple[list[TreeRun], ExactAnswer | None, bool]:
    """Return what both solvers found, and whether they were interrupted."""
    settings, runs, exact = question.settings, list[TreeRun](), None
    try:
        if settings.solver in ("exact", "both") or (settings.solver == "auto" and is_small(question)):
            _report(progress, "exact search", 0.02)
            exact = search_exactly(question)
        known = [found.path for found in (check, exact) if found is not None and len(found.path)]
        for number in range(settings.runs if settings.solver != "exact" else 0):
            _report(progress, f"run {number + 1} of {settings.runs}", 0.1 + 0.85 * number / settings.runs)
            runs.append(search_with_trees(question, number, known))
    except KeyboardInterrupt:
        if not (partial and runs):
            raise
        return runs, exact, True
    return runs, exact, False


def is_small(question: Question) -> bool:
    """Return whether an exact search takes no more than some seconds."""
    return len(question.ground.ways.xyz) * question.views.steps * max(1, len(question.views.routes)) <= FEW_STAYS


def _collected(question: Question) -> Floats | None:
    """Return a path that takes all items; None if there are none or too many."""
    items = items_of(question.ground.level)
    return read_only(collect_items(question, items)) if 0 < len(items) <= MOST_COLLECTED else None


def _report(progress: Progress, what: str, share: float) -> None:
    if progress is not None:
        progress(what, share)


def _compared(found: list[Solution], paths: tuple[Floats, ...], close: float) -> tuple[Solution, ...]:
    """Return solutions with their distance from the nearest intended path and their groups."""
    if paths:
        found = [replace(each, apart=min(frechet(each.path[:, :3], path) for path in paths)) for each in found]
    grouped = found[:MOST_GROUPED]
    group = cluster(distances([each.path[:, :3] for each in grouped]), within=close)
    numbers = [*group.tolist(), *(-1 for _ in found[MOST_GROUPED:])]
    return tuple(replace(each, group=number) for each, number in zip(found, numbers))


def _heat(ground: SneakGround, paths: list[Floats], exact: ExactAnswer | None, count: int) -> Array:
    """Return the share of paths that pass each cell; without paths of random trees, those of the exact one."""
    if not paths and exact is not None and exact.found:
        paths = [exact.path]
    heat = np.zeros(count)
    for path in paths:
        cells = cells_at(ground.layout, path_samples(path[:, :3], ground.cell / 4.0))
        heat[np.unique(cells[cells >= 0])] += 1.0
    return heat / max(1, len(paths))


def _notes(
    question: Question,
    runs: list[TreeRun],
    exact: ExactAnswer | None,
    check: Passability | None,
    intended: Floats | None,
    stopped: bool,
) -> tuple[str, ...]:
    notes = []
    if stopped:
        done = f"stopped after {len(runs)} of {question.settings.runs} runs"
        notes.append(f"{done}; the results cover these runs only")
    if intended is not None:
        for name, end, place in (("start", intended[0], question.start), ("goal", intended[-1], question.goal)):
            if np.linalg.norm(end - place) > question.settings.close:
                notes.append(f"the {name} {xyz_text(place)} differs from that of the intended path, {xyz_text(end)}")
    found = sum(run.found for run in runs)
    if found > MOST_GROUPED:
        notes.append(f"only the first {MOST_GROUPED} of {found} solutions are grouped")
    if runs and not found and ((exact is not None and exact.found) or check):
        notes.append(
            "a path exists, but random trees did not find it because it is narrow; allow more trees, nodes or seconds"
        )
    if exact is not None and not exact.found and check:
        notes.append(
            f"the intended path can be walked unseen, although no path over cells of {question.ground.cell:g} m can: "
            "use smaller cells"
        )
    first = min((float(run.path[-1, 3]) for run in runs if run.found), default=float("inf"))
    if exact is not None and runs and first < exact.seconds - question.settings.step:
        than = f"its path takes {exact.seconds:.4g} s" if exact.found else "it found none"
        notes.append(
            f"random trees found a path between cells, in {first:.4g} s, that the exact search misses ({than}): "
            f"cells of {question.ground.cell:g} m are too coarse here; use smaller ones"
        )
    if question.settings.takedowns and not is_small(question):
        notes.append("takedowns are left out: the level is too large for an exact search; use larger cells (--cell)")
    fastest = float(np.linalg.norm(question.goal - question.start)) / question.settings.speed
    if question.views.steps * question.settings.step < fastest:
        notes.append("the time limit is too short even for a straight line at top speed")
    return tuple(notes)
