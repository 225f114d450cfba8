"""Trials as an experiment: its parameters in sweep files, and the rows of one task."""

from __future__ import annotations

from functools import partial

from ....cells.layout import CellLayout
from ....checks import finite_number, whole_number
from .experiment import Experiment, Job, baked
from .parameters import Measure, Parameter, Row, Values, interval, parameters_of
from .summary import Row as SummaryRow
from .summary import summarise
from .trials import Trials, evaluate

BAKING = {
    "cell": Parameter("number", None, "edge of a cell, metres; default: the tile of a tile map, else 1"),
    "radius": Parameter("number", None, "radius of bodies, metres; default: 0.3"),
}


def check_baking(values: Values) -> None:
    """Check the parameters for baking levels."""
    for name, low, high in (("cell", 0.05, 100.0), ("radius", 0.0, 10.0)):
        if values.get(name) is not None:
            finite_number(values[name], name, unit="m", low=low, high=high)


def baking_of(layout: CellLayout) -> Row:
    """Return the parameters that a layout was baked with, in which defaults have become numbers."""
    return {"cell": float(layout.arrays.size_xyz[0]), "radius": layout.mesh.body.radius}


def trials_experiment(
    trials: Trials,
    about: str,
    *,
    episodes: Parameter,
    variants: Parameter | None = None,
    options: dict[str, Parameter] | None = None,
) -> Experiment:
    """Return trials as an experiment.

    Parameters
    ----------
    variants : which ones to compare; None: always all.
    options : further parameters, see `Trials.options_of`.
    """
    own = parameters_of(trials.settings, degrees=trials.degrees)
    counted = [Measure("episodes_counted", "", f"number of {trials.units}", reported=False)]
    if trials.can_fail:
        about_failed = f"{trials.units} left out because a brain failed"
        counted.append(Measure("episodes_failed", "", about_failed, reported=False))
    return Experiment(
        name=trials.name,
        about=about,
        parameters={
            "episodes": episodes,
            **({} if variants is None else {f"{trials.variant}s": variants}),
            **(options or {}),
            **own,
            **{name: parameter for one in trials.tunings for name, parameter in one.parameters.items()},
            **{name: one for name, one in BAKING.items() if name not in own},
        },
        measures=(*trials.measures, *counted),
        check=partial(_check, trials),
        run=partial(_run, trials),
        subject=trials.variant,
        trials=trials,
    )


def _check(trials: Trials, values: Values) -> None:
    asked = trials.asked(values)
    if trials.tuned is not None:
        trials.tuned(asked)
    finite_number(whole_number(values["episodes"], "episodes", low=1), "episodes", high=1e6)
    check_baking(values)


def _run(trials: Trials, job: Job) -> list[Row]:
    asked = trials.asked(job.values)
    cell, radius = (job.values[name] for name in BAKING)
    layout = baked(job, cell, radius)  # type: ignore[arg-type]
    evaluation = evaluate(trials, {job.name: trials.case_of(job.level, layout)}, seed=job.seed, **asked)
    table = summarise(evaluation)[-1]
    common: Row = {"episodes_counted": float(table.count), **baking_of(layout)}
    if trials.can_fail:
        common["episodes_failed"] = float(len({failure.episode for failure in evaluation.failures}))
    tuned = trials.tuned(asked) if trials.tuned is not None else {}
    rows: list[Row] = []
    for one in table.rows:
        row = {trials.variant: one.variant} | common | _measured(trials, one)
        for tuning in trials.tunings:
            row |= tuning.row(tuned[one.variant].get(tuning.prefix), job.values)
        rows.append(row)
    return rows


def _measured(trials: Trials, row: SummaryRow) -> Row:
    found: Row = {}
    for measure in trials.measures:
        if measure.metric in row.estimates:
            estimate = row.estimates[measure.metric]
            found |= interval(measure.name, estimate.value, estimate.low, estimate.high)
    return found
