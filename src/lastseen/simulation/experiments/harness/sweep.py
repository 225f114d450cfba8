"""Sweep files: read, checked, and divided into tasks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....errors import LastSeenError, did_you_mean
from ....level.level import Level
from ....level.read import read_level
from ....level.samples import SAMPLES, sample
from ....level.write import to_geojson
from ....reasoning.placement.files.route_files import read_guards, read_path
from ....textfile import Document, convert, digest_of, read
from ..registry import EXPERIMENTS, require_experiments
from .design import MOST_TASKS, SweepForm, combinations, fixed_values, seeds_of
from .experiment import Experiment, Plan, Task, task_key
from .parameters import Values

READERS: dict[str, Callable[[Path], Any]] = {"path": read_path, "file": read_guards}
"""Readers of files named by parameters, by kind of parameter."""
_SAMPLE = "sample:"
_MOST_CHECKED = 5_000
"""Combinations of values checked before anything runs; faults of further ones are reported in their rows."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep that is ready to run.

    Attributes
    ----------
    name, about : of its file; its description.
    swept : parameters that vary between tasks.
    plan, tasks : shared data, and the tasks to run.
    """

    name: str
    about: str
    experiment: Experiment
    swept: tuple[str, ...]
    plan: Plan
    tasks: tuple[Task, ...]


def read_sweep(path: str | os.PathLike[str], *, experiments: Mapping[str, Experiment] = EXPERIMENTS) -> Sweep:
    """Read and check a sweep from a .toml, .yaml or .json file.

    Parameters
    ----------
    experiments : the experiments that may be evaluated, by name; you may add your own.

    Raises
    ------
    InputError
        A key, parameter, value, level or file is wrong; the message begins with file and line.
    """
    require_experiments(experiments)
    document = read(path)
    form = convert(document, SweepForm)
    if form.evaluate not in experiments:
        hint = did_you_mean(form.evaluate, experiments)
        what = f"evaluate is {form.evaluate[:40]!r}{hint}; give one of {', '.join(experiments)}"
        raise document.error(("evaluate",), what)
    experiment = experiments[form.evaluate]
    fixed = fixed_values(form, document, experiment)
    points = combinations(form, document, experiment)
    seeds = seeds_of(form, document)
    _check_values(document, experiment, fixed, points)
    folder = Path(document.source).parent
    levels = dict(_levels(form, document, folder))
    count = len(levels) * len(points) * len(seeds)
    if count > MOST_TASKS:
        what = f"the sweep has {count} tasks ({len(levels)} levels, {len(points)} points, {len(seeds)} seeds)"
        raise document.error((), f"{what}; the limit is {MOST_TASKS}: give fewer values, or draw points at random")
    _check_levels(document, experiment, {name: level for name, (level, _) in levels.items()}, fixed, points)
    files = dict(_files(document, folder, experiment, fixed, points))
    digests = {name: digest for name, (_, digest) in files.items()}
    tasks: dict[str, Task] = {}
    for name, (_, digest) in levels.items():
        for point in points:
            values = fixed | point
            for seed in seeds:
                key = task_key(form.evaluate, name, digest, seed, values, digests)
                tasks.setdefault(key, Task(key, name, seed, values))
    plan = Plan(
        experiment,
        {name: level for name, (level, _) in levels.items()},
        {name: held for name, (held, _) in files.items()},
    )
    swept = tuple(dict.fromkeys([*form.grid, *(form.random.over if form.random else ())]))
    return Sweep(Path(document.source).stem, form.about, experiment, swept, plan, tuple(tasks.values()))


def _check_values(document: Document, experiment: Experiment, fixed: Values, points: list[Values]) -> None:
    """Reject values that fail in every combination; others that fail only in some are reported in their rows."""
    sound: list[Values] = []
    faults: list[tuple[Values, str]] = []
    for point in points[:_MOST_CHECKED]:
        what = _fault(experiment, fixed | point)
        if what:
            faults.append((point, what))
        else:
            sound.append(point)
    for point, what in faults:
        hopeless = [name for name in point if all(one[name] != point[name] for one in sound)]
        if hopeless or not sound:
            name = _culprit(experiment, fixed, point)
            name = hopeless[0] if sound and name not in hopeless else name
            raise document.error(_home(document, name), what)


def _check_levels(
    document: Document, experiment: Experiment, levels: Mapping[str, Level], fixed: Values, points: list[Values]
) -> None:
    """Reject a level that fails with every combination of values; one that fails with some is reported in its rows."""
    for name, level in levels.items():
        what = ""
        for point in points[:_MOST_CHECKED]:
            try:
                experiment.fits(level, fixed | point)
            except LastSeenError as error:
                what = what or str(error)
            else:
                break
        else:
            raise document.error(("levels",), f"level {name!r}: {what}")


def _fault(experiment: Experiment, values: Values) -> str:
    try:
        experiment.check(values)
    except LastSeenError as error:
        return str(error)
    return ""


def _culprit(experiment: Experiment, fixed: Values, point: Values) -> str:
    """Return the parameter whose default would resolve the fault."""
    values = fixed | point
    for name in (*point, *fixed):
        usual = experiment.parameters[name].usual
        if values[name] != usual and not _fault(experiment, values | {name: usual}):
            return name
    return ""


def _home(document: Document, name: str) -> tuple[str, ...]:
    """Return the location of a parameter in the file."""
    homes = (("grid", name), ("random", "over", name), ("fixed", name))
    return next((home for home in homes if home in document.lines), ())


def _levels(form: SweepForm, document: Document, folder: Path) -> Iterator[tuple[str, tuple[Level, str]]]:
    """Yield name, level and digest of every level; patterns such as maps/*.map match files."""
    names: set[str] = set()
    for number, given in enumerate(form.levels):
        path = ("levels", number)
        for found in _matching(given, document, path, folder):
            name = found.removeprefix(_SAMPLE) if found.startswith(_SAMPLE) else Path(found).stem
            if name in names:
                raise document.error(path, f"two levels are named {name!r}; give each a unique name")
            names.add(name)
            try:
                yield name, _level(found, name, folder)
            except LastSeenError as error:
                raise document.error(path, f"the level cannot be read: {error}") from None


def _matching(given: str, document: Document, path: tuple[str, int], folder: Path) -> list[str]:
    if given.startswith(_SAMPLE) or (given in SAMPLES and not (folder / given).is_file()):
        return [_SAMPLE + given.removeprefix(_SAMPLE)]
    if any(sign in given for sign in "*?["):
        try:
            found = sorted(str(each.relative_to(folder)) for each in folder.glob(given) if each.is_file())
        except (ValueError, NotImplementedError):  # pathlib raises the latter for absolute patterns.
            raise document.error(path, f"{given!r} is not a file pattern relative to the sweep file") from None
        if not found:
            raise document.error(path, f"no file matches {given!r}; patterns are relative to the sweep file")
        return found
    if not (folder / given).is_file():
        neighbours = [each.name for each in folder.iterdir()] if Path(given).name == given else []
        hint = did_you_mean(given, [*SAMPLES, *neighbours])
        what = f"no level {given!r}{hint}; name a file relative to the sweep file, or a sample: {', '.join(SAMPLES)}"
        raise document.error(path, what)
    return [given]


def _level(found: str, name: str, folder: Path) -> tuple[Level, str]:
    if found.startswith(_SAMPLE):
        level = sample(name)
        return level, digest_of(to_geojson(level))
    path = folder / found
    return read_level(path), digest_of(path.read_bytes())


def _files(
    document: Document, folder: Path, experiment: Experiment, fixed: Values, points: list[Values]
) -> Iterator[tuple[str, tuple[Any, str]]]:
    """Yield the contents and digest of every file named by a parameter."""
    for name, parameter in experiment.parameters.items():
        if parameter.kind not in READERS:
            continue
        for given in dict.fromkeys([fixed[name], *(point.get(name) for point in points)]):
            if not isinstance(given, str):
                continue
            try:
                held = READERS[parameter.kind](folder / given)
                yield given, (held, digest_of((folder / given).read_bytes()))
            except (LastSeenError, OSError) as error:
                raise document.error(_home(document, name), f"{name}: {error}") from None
