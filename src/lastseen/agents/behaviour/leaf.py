"""Leaves: nodes that read the world or act on it, as a class or as a plain function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from inspect import CO_VARARGS, CO_VARKEYWORDS, unwrap
from types import FunctionType
from typing import Any

import numpy as np

from ...checks import shown, table_of, text_of
from ...errors import BehaviourError
from ...extensions import code_place
from .node import ALWAYS, Node
from .ports import Input, Output, ports_of
from .status import FAILURE, IDLE, RUNNING, SUCCESS, Status

_VARIADIC = CO_VARARGS | CO_VARKEYWORDS


class Leaf(Node):
    """A node without children: write `tick`, and `enter` and `exit` if the work has a beginning and an end."""

    _gives_reasons = True


class FunctionLeaf(Leaf):
    """A leaf that calls a function of the context and of parameters.

    A parameter given as an `Input` with a key is read from the blackboard at each tick; an `Output` is passed on.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        parameters: Mapping[str, Any] | None = None,
        *,
        name: str = "",
        reads: Mapping[str, Any] | None = None,
        writes: Mapping[str, Any] | None = None,
    ):
        if not callable(function):
            raise BehaviourError(f"the function is {shown(function)}; give a function of the context")
        self.function = function
        self.name = text_of(name, "name") or getattr(function, "__name__", "")
        self.reads, self.writes = table_of(reads, "reads"), table_of(writes, "writes")
        self.parameters = table_of(parameters, "parameters")
        self.woken_by = getattr(function, "woken_by", ALWAYS)
        self._split()

    def ports(self) -> Mapping[str, Input[Any] | Output[Any]]:
        """Return the parameters that are keys."""
        return dict(ports_of(self.parameters))

    def rename(self, ports: Mapping[str, Input[Any] | Output[Any]]) -> None:
        """Replace parameters by ports with other keys."""
        self.parameters |= ports
        self._split()

    def _split(self) -> None:
        """Split the parameters into constants and those read at each tick."""
        self._fixed: dict[str, Any] = {}
        self._read: dict[str, Input[Any]] = {}
        for name, value in self.parameters.items():
            if not isinstance(value, Input):
                self._fixed[name] = value
            elif value.key is None:
                self._fixed[name] = value.value
            else:
                self._read[name] = value
        self._call = _with_parameters(self.function, self._fixed)

    def details(self) -> str:
        """Return the parameters as written in a file."""
        return ", ".join(f"{name}: {value}" for name, value in self.parameters.items())

    def call(self, context: Any) -> Any:
        """Call the function with the values of the blackboard."""
        return self._call(context, **{name: value.read(context) for name, value in self._read.items()})


class Condition(FunctionLeaf):
    """Returns SUCCESS if a function returns true, else FAILURE; never RUNNING, never entered or exited.

    | the function returns  | status            |
    |-----------------------|-------------------|
    | true                  | SUCCESS           |
    | false                 | FAILURE           |
    | `(true, "because")`   | as above, with the reason |
    """

    answer: Any = None
    """The result that the current status came from, if it is a constant; else None."""

    def run(self, context: Any) -> Status:
        """Call the function and take the status of its result."""
        if self._result is not None:
            return self._collect()
        answer = self.call(context) if self._read else self._call(context)
        old = self.status
        # Most functions return the same constant object as in the last tick.
        if answer is self.answer and old is not IDLE:
            self._seen[self.index] = old
            return old
        self.answer = answer if answer.__class__ is tuple or answer.__class__ is bool else None
        before = self.reason
        if answer.__class__ is tuple:
            answer, self.reason = _with_reason(answer)
        else:
            self.reason = ""
        if answer is True:
            status = SUCCESS
        else:
            status = FAILURE if answer is False else self._status_of(answer)
        self._seen[self.index] = status
        if status is not old:
            self.status = status
            self._changed(old, status)
        elif self.changed_reasons is not None and self.reason != before:
            self.changed_reasons.add(self.index)
        return status

    def _status_of(self, answer: Any) -> Status:
        if isinstance(answer, Status):
            if answer is SUCCESS or answer is FAILURE:
                return answer
        elif isinstance(answer, np.bool_):
            return SUCCESS if answer else FAILURE
        raise BehaviourError(f"the condition returned {answer!r}; return True or False (or that with a reason)")


class Action(FunctionLeaf):
    """Calls a function that does one tick of work.

    | the function returns                | status           |
    |-------------------------------------|------------------|
    | SUCCESS, FAILURE, RUNNING           | that             |
    | True / False                        | SUCCESS / FAILURE |
    | `(one of these, "because")`         | as above, with the reason |
    """

    def tick(self, context: Any) -> Status:
        """Call the function."""
        answer = self.call(context) if self._read else self._call(context)
        if answer.__class__ is tuple:
            answer, self.reason = _with_reason(answer)
        if answer.__class__ is Status:
            return answer
        if answer is True:
            return SUCCESS
        if answer is False:
            return FAILURE
        raise BehaviourError(f"the action returned {answer!r}; return Status.SUCCESS, FAILURE or {RUNNING.name}")


def _with_parameters(function: Callable[..., Any], fixed: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the function with constant parameters as its defaults; a call takes a third of the time of a `partial`."""
    if not fixed:
        return function
    code = getattr(function, "__code__", None)
    if function.__class__ is not FunctionType or code is None or code.co_kwonlyargcount or code.co_flags & _VARIADIC:
        return partial(function, **fixed)
    names = code.co_varnames[1 : code.co_argcount]
    usual = dict(zip(reversed(code.co_varnames[: code.co_argcount]), reversed(function.__defaults__ or ())))
    if code.co_posonlyargcount > 1 or not set(fixed) <= set(names) or not set(names) <= set(usual) | set(fixed):
        return partial(function, **fixed)
    defaults = tuple(fixed[name] if name in fixed else usual[name] for name in names)
    return FunctionType(code, function.__globals__, function.__name__, defaults, function.__closure__)


def _with_reason(answer: tuple[Any, ...]) -> tuple[Any, str]:
    if len(answer) == 2 and isinstance(answer[1], str):
        return answer
    raise BehaviourError(f"the leaf returned {answer!r}; return a status, or a status and its reason")


def leaf_place(error: BaseException, node: Node) -> str:
    """Return where the code of a user raised in a leaf; see `code_place`."""
    return code_place(error, unwrap(node.function) if isinstance(node, FunctionLeaf) else type(node).tick)
