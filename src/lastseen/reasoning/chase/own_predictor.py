"""A program's own predictor: any object with `predict(loss)`, in place of the shipped ones."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from ...cells.layout import AnyLayout
from ...cells.query import nearest_cell
from ...checks import point_xyz, read_only, shown
from ...errors import InputError, LastSeenError
from ...shipped import code_place
from .loss import Loss, Losses
from .prediction import Prediction, Predictions, Predictor

OWN = "own"
"""The reason of a prediction that was given as a place only."""


class OwnPredictor:
    """Ask a program's own predictor, one loss after another, and check what it answers.

    It may return a `Prediction`, or just a place (x, y[, z]) in metres.
    """

    def __init__(self, inner: Any, name: str, cells: AnyLayout):
        if not callable(getattr(inner, "predict", None)):
            raise InputError(f"predictor {name!r} is {shown(inner)}; give an object with predict(loss)")
        self._inner, self._name, self._cells = inner, name, cells

    def predict(self, loss: Loss, /) -> Prediction:
        """Predict where to run."""
        try:
            found = self._inner.predict(loss)
        except LastSeenError:
            raise
        except Exception as error:  # another program's code may raise anything
            what = f"predictor {self._name!r} raised {type(error).__name__}: {error}"
            raise InputError(f"{what}{self._place(error)}; fix its predict(loss)") from error
        try:
            if isinstance(found, Prediction):
                point_xyz(found.destination, f"the destination of predictor {self._name!r}")
                return found
            place = read_only(point_xyz(found, f"what predictor {self._name!r} returned"))
        except InputError as error:
            raise InputError(f"{error}{self._place(error)}") from None
        return Prediction(place, nearest_cell(self._cells, place), OWN)

    def _place(self, error: Exception) -> str:
        return code_place(error, inspect.unwrap(self._inner.predict))

    def predict_many(self, losses: Any, /) -> Predictions:
        """Predict where to run for each of many losses."""
        known = Losses.of(losses)
        found = [self.predict(known[number]) for number in range(len(known))]
        reasons = tuple(dict.fromkeys(one.reason for one in found)) or (OWN,)
        return Predictions(
            read_only(np.array([one.destination for one in found], np.float64).reshape(-1, 3)),
            read_only(np.array([one.cell for one in found], np.int32)),
            read_only(np.array([reasons.index(one.reason) for one in found], np.uint8)),
            reasons,
        )


def with_batches(made: Any, name: str, cells: AnyLayout) -> Predictor:
    """Return a predictor that also predicts in batches, one loss after another if it has no `predict_many`."""
    return made if callable(getattr(made, "predict_many", None)) else OwnPredictor(made, name, cells)


def instance_for(given: Any, name: str, cells: AnyLayout) -> Predictor:
    """Return the predictor for some cells: an object as it is, or one made by a class or function.

    A class or function is called with the cells if it takes an argument.
    """
    if not inspect.isclass(given) and callable(getattr(given, "predict", None)):
        return with_batches(given, name, cells)
    if not callable(given):
        raise InputError(f"predictor {name!r} is {shown(given)}; give an object or a class with predict(loss)")
    try:
        takes_cells = bool(inspect.signature(given).parameters)
        made = given(cells) if takes_cells else given()
    except LastSeenError:
        raise
    except Exception as error:  # another program's code may raise anything
        what = f"predictor {name!r} cannot be made: {type(error).__name__}: {error}"
        raise InputError(f"{what}{code_place(error)}") from error
    return with_batches(made, name, cells)
