"""Sweeps of pursuits: how often each predictor re-acquires a lost target."""

from __future__ import annotations

from typing import Any

from ....checks import finite_number, whole_number
from ..chase.evaluation import evaluate_chase
from ..chase.predictors import DEFAULT, contenders
from ..chase.settings import PursuitSettings
from ..chase.summary import MEANS, SHARES, summarise
from .experiment import Experiment, Job, Measure, Row, baked, interval
from .parameters import Parameter, Values, named, parameters_of

__all__ = ["BAKING", "CHASE", "check_baking", "names_in"]

_DEGREES = ("view_angle",)
_SETTINGS = parameters_of(PursuitSettings, degrees=_DEGREES)
_ABOUT = {
    "reacquired": "the guard saw the runner again after its first loss",
    "alive": "the chase was not given up, counting all its losses",
    "turned": "about-turns to places that the guard was nearer to than the runner",
    "corner_missed": "given up although the runner was around the next corner",
    "metres": "run until the runner was seen or the guard arrived",
    "miss": "from the predicted place to the runner",
    "losses": "how often the runner was lost in the whole chase",
}
_COLUMNS = {"alive": "still_alive"}
"""Measures renamed here because a parameter has the same name."""
BAKING = {
    "cell": Parameter("number", None, "edge of a cell, metres; default: the tile of a tile map, else 1"),
    "radius": Parameter("number", None, "radius of bodies, metres; default: 0.3"),
}


def names_in(value: Any) -> tuple[str, ...]:
    """Return the value of a parameter that is a list of strings."""
    return tuple(value)


def check_baking(values: Values) -> None:
    """Check the parameters for baking levels."""
    for name, low, high in (("cell", 0.05, 100.0), ("radius", 0.0, 10.0)):
        if values.get(name) is not None:
            finite_number(values[name], name, unit="m", low=low, high=high)


def _settings(values: Values) -> PursuitSettings:
    return PursuitSettings(**named(values, _SETTINGS, degrees=_DEGREES))


def _check(values: Values) -> None:
    _settings(values)
    contenders(names_in(values["predictors"]))
    finite_number(whole_number(values["episodes"], "episodes", low=1), "episodes", high=1e6)
    check_baking(values)


def _run(job: Job) -> list[Row]:
    values: dict[str, Any] = dict(job.values)
    layout = baked(job, values["cell"], values["radius"])
    evaluation = evaluate_chase(
        {job.name: layout},
        predictors=names_in(values["predictors"]),
        episodes=values["episodes"],
        seed=job.seed,
        settings=_settings(job.values),
    )
    table = summarise(evaluation)[-1]
    rows = []
    for one in table.rows:
        row: Row = {"predictor": one.predictor, "episodes_counted": float(table.losses)}
        for name, found in one.estimates.items():
            row |= interval(_COLUMNS.get(name, name), found.value, found.low, found.high)
        rows.append(row)
    return rows


CHASE = Experiment(
    name="chase",
    about="pursuits: how often each predictor re-acquires a lost target",
    parameters={
        "episodes": Parameter("whole", 200, "first losses per task"),
        "predictors": Parameter("texts", DEFAULT, "predictors to measure; presets can be modified: belief:lead=1"),
        **_SETTINGS,
        **BAKING,
    },
    measures=(
        *(Measure(_COLUMNS.get(name, name), "share", _ABOUT[name], interval=True) for name in SHARES),
        *(Measure(name, "" if name == "losses" else "m", _ABOUT[name], interval=True) for name in MEANS),
        Measure("episodes_counted", "", "number of first losses", reported=False),
    ),
    check=_check,
    run=_run,
    subject="predictor",
)
