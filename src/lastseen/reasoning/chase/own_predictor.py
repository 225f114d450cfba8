"""A program's own predictor: any object with `predict(loss)`, in place of the shipped ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ...cells.layout import AnyLayout
from ...cells.query import nearest_cell
from ...checks import point_xyz, points_xyz, read_only, shown, text_of, whole_number
from ...errors import InputError, LastSeenError
from ...extensions import code_place
from .loss import Loss, Losses
from .prediction import Prediction, Predictions, Predictor

OWN = "own"
"""The reason of a prediction that was given as a place only."""

_SHIPPED = f"{__name__.partition('.')[0]}."


class OwnPredictor:
    """Ask a program's own predictor and check what it answers; without `predict_many`, one loss after another.

    It may return a `Prediction`, or just a place (x, y[, z]) in metres; for a batch, one of these per loss.
    """

    def __init__(self, inner: Any, name: str, cells: AnyLayout):
        if not callable(getattr(inner, "predict", None)):
            raise InputError(f"predictor {name!r} is {shown(inner)}; give an object with predict(loss)")
        self._inner, self._name, self._cells = inner, name, cells

    def predict(self, loss: Loss, /) -> Prediction:
        """Predict where to run."""
        return self._asked("predict", loss, self._checked)

    def predict_many(self, losses: Any, /) -> Predictions:
        """Predict where to run for each of many losses."""
        known = Losses.of(losses)
        if callable(getattr(self._inner, "predict_many", None)):
            return self._asked("predict_many", known, lambda found: self._batch(found, len(known)))
        return _stacked([self.predict(known[number]) for number in range(len(known))])

    def _asked(self, method: str, known: Any, checked: Callable[[Any], Any]) -> Any:
        """Return what a method answers; if it raises or answers something else, name its file and line."""
        call = getattr(self._inner, method)
        try:
            found = call(known)
        except LastSeenError:
            raise
        except (Exception, SystemExit) as error:  # another program's code may raise anything
            what = f"predictor {self._name!r} raised {type(error).__name__}: {error}{code_place(error)}"
            raise InputError(f"{what}; fix its {method}({'loss' if method == 'predict' else 'losses'})") from error
        try:
            return checked(found)
        except InputError as error:
            raise InputError(f"{error}{code_place(error, inspect.unwrap(call))}") from None

    def _checked(self, found: Any) -> Prediction:
        if not isinstance(found, Prediction):
            place = read_only(point_xyz(found, f"what predictor {self._name!r} returned"))
            return Prediction(place, nearest_cell(self._cells, place), OWN)
        place = point_xyz(found.destination, f"the destination of predictor {self._name!r}")
        cell = self._cell(found.cell)
        text_of(found.reason, f"the reason of predictor {self._name!r}")
        return found if type(found) is not Prediction else replace(found, destination=read_only(place), cell=cell)

    def _cell(self, cell: Any) -> int:
        number, count = (
            whole_number(cell, f"the cell of predictor {self._name!r}", low=-1),
            len(self._cells.arrays.cell_xyz),
        )
        if number >= count:
            raise InputError(f"the cell of predictor {self._name!r} is {number}; there are {count} cells; -1: none")
        return number

    def _batch(self, found: Any, count: int) -> Predictions:
        """Return the answer to a batch, which may be several answers to single losses."""
        what = f"what predictor {self._name!r} returned for {count} losses"
        if isinstance(found, Predictions):
            places = points_xyz(found.destination, f"{what} (destination)")
            if len(places) == len(found.cell) == len(found.reason) == count:
                for cell in found.cell:
                    self._cell(cell)
                return found
        elif isinstance(found, Iterable) and len(several := list(found)) == count:
            return _stacked([self._checked(one) for one in several])
        raise InputError(f"{what} is {shown(found)}; give a place or a Prediction for each")


def _stacked(found: list[Prediction]) -> Predictions:
    reasons = tuple(dict.fromkeys(one.reason for one in found)) or (OWN,)
    return Predictions(
        read_only(np.array([one.destination for one in found], np.float64).reshape(-1, 3)),
        read_only(np.array([one.cell for one in found], np.int32)),
        read_only(np.array([reasons.index(one.reason) for one in found], np.uint8)),
        reasons,
    )


def made_for(make: Callable[[AnyLayout], Any], name: str, cells: AnyLayout) -> Predictor:
    """Return the predictor that `make` returns for some cells; what is not shipped with lastseen is checked."""
    try:
        made = make(cells)
    except LastSeenError:
        raise
    except (Exception, SystemExit) as error:  # another program's code may raise anything
        what = f"predictor {name!r} cannot be made: {type(error).__name__}: {error}{code_place(error)}"
        advice = "a class or function is called with the cells if it takes an argument, and returns an object with"
        raise InputError(f"{what}; {advice} predict(loss)") from error
    return made if type(made).__module__.startswith(_SHIPPED) else OwnPredictor(made, name, cells)


def instance_for(given: Any, name: str, cells: AnyLayout) -> Predictor:
    """Return the predictor for some cells: an object as it is, or one made by a class or function."""
    if not inspect.isclass(given) and callable(getattr(given, "predict", None)):
        return made_for(lambda _: given, name, cells)
    if not callable(given):
        raise InputError(f"predictor {name!r} is {shown(given)}; give an object or a class with predict(loss)")
    return made_for(lambda cells: given(cells) if inspect.signature(given).parameters else given(), name, cells)
