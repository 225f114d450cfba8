"""Parameters of nodes: read from signatures, and checked against given values."""

from __future__ import annotations

import inspect
import math
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import BehaviourError, did_you_mean
from .keys import fits, type_name
from .node import Composite
from .ports import Input, Output

NOT_PARAMETERS = ("name", "child", "children")
"""Keys of a node in a file that are not parameters."""
REQUIRED = inspect.Parameter.empty


@dataclass(frozen=True)
class Parameter:
    """One parameter of a node.

    `port` is "value" for a literal value, "input" for a literal value or a key to read, "output" for a key to write.
    """

    name: str
    type: Any
    default: Any = REQUIRED
    port: typing.Literal["value", "input", "output"] = "value"

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is REQUIRED


def parameters_of(make: Callable[..., Any], name: str, *, skip_first: bool) -> tuple[Parameter, ...]:
    """Return the parameters of a function or class; `skip_first` leaves the context out."""
    try:
        hints = typing.get_type_hints(make.__init__ if isinstance(make, type) else make, include_extras=True)  # type: ignore[misc]
    except NameError as error:
        raise BehaviourError(
            f"a type of {name!r} cannot be found ({error}); import it in the module of the leaf"
        ) from None
    skip = ("name", "child", "children", "condition") if is_composite(make) else () if skip_first else ("name",)
    found = []
    for parameter in list(inspect.signature(make).parameters.values())[1 if skip_first else 0 :]:
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            raise BehaviourError(f"{name!r} takes *{parameter.name}; name every parameter of a leaf")
        if parameter.name in skip:
            continue
        if parameter.name in NOT_PARAMETERS:
            raise BehaviourError(f"{name!r} takes {parameter.name!r}, which is reserved in tree files; rename it")
        found.append(_parameter(parameter.name, hints.get(parameter.name, Any), parameter.default, skip_first))
    return tuple(found)


def is_composite(make: Callable[..., Any]) -> bool:
    """Return whether this makes nodes with children, which the constructor takes in addition to parameters."""
    return isinstance(make, type) and issubclass(make, Composite)


def _parameter(name: str, hint: Any, default: Any, is_function: bool) -> Parameter:
    """Return a parameter with the port its type says; parameters of functions are read at each tick and may be keys."""
    for part in (hint, *typing.get_args(hint)):
        inner = (typing.get_args(part) or (Any,))[0]
        if (typing.get_origin(part) or part) is Output:
            return Parameter(name, inner, default, "output")
        if (typing.get_origin(part) or part) is Input:
            return Parameter(name, inner, default, "input")
    return Parameter(name, hint, default, "input" if is_function else "value")


class ParameterError(BehaviourError):
    """Error for wrong parameters of a node; `wrong` says of each what is wrong, by name."""

    def __init__(self, wrong: Mapping[str, str]):
        self.wrong = dict(wrong)
        super().__init__("; ".join(self.wrong.values()))


def checked_parameters(
    parameters: tuple[Parameter, ...], given: Mapping[str, Any], label: str, *, loose: bool = False
) -> dict[str, Any]:
    """Return the values converted to the types of their parameters, or raise a ParameterError with all faults.

    A key is given as `Input(key=…)` or `Output(…)`. With `loose`, numbers and booleans may be written as text, as in
    XML.
    """
    known = {parameter.name: parameter for parameter in parameters}
    takes = ", ".join(known) if known else "no parameters"
    wrong = {
        name: f"{label} has no parameter {name!r}{did_you_mean(name, known)}; it takes {takes}"
        for name in given
        if name not in known
    }
    values = {}
    for parameter in parameters:
        if parameter.name in given:
            try:
                values[parameter.name] = _checked(parameter, given[parameter.name], label, loose)
            except BehaviourError as error:
                wrong[parameter.name] = str(error)
        elif parameter.required and not wrong:  # a misspelled name explains a missing one
            wrong[parameter.name] = f"{label} needs {parameter.name!r} ({type_name(parameter.type)})"
    if wrong:
        raise ParameterError(wrong)
    return values


def _checked(parameter: Parameter, value: Any, label: str, loose: bool) -> Any:
    name = f"{parameter.name!r} of {label}"
    if parameter.port == "output":
        if isinstance(value, Input | Output) and value.key is not None:
            return Output(value.key, type=parameter.type)
        raise BehaviourError(f"{name} is {value!r}; give the key to write to, as $key")
    if isinstance(value, Input) and value.key is not None:
        if parameter.port == "value":
            raise BehaviourError(f"{name} is key {value.key!r}; write a literal value ({type_name(parameter.type)})")
        return Input(key=value.key, type=parameter.type)
    fixed = value.value if isinstance(value, Input) else value
    found = _converted(fixed, parameter.type, name, loose)
    return Input(found, type=parameter.type) if parameter.port == "input" else found


def _converted(value: Any, type_: Any, name: str, loose: bool) -> Any:
    import msgspec
    import msgspec.inspect

    from ...textfile import in_words

    if type_ is Any or (isinstance(type_, type) and isinstance(value, type_) and fits(type(value), type_)):
        return _finite(value, name)
    words = typing.get_args(type_) if typing.get_origin(type_) is typing.Literal else ()
    if words and value not in words:
        hint = did_you_mean(value, [word for word in words if isinstance(word, str)])
        raise BehaviourError(f"{name} is {value!r}{hint}; give {one_of(words)}")
    try:
        return _finite(msgspec.convert(value, type_, strict=not loose), name)
    except msgspec.ValidationError as error:
        if isinstance(msgspec.inspect.type_info(type_), msgspec.inspect.CustomType):
            raise BehaviourError(f"{name} is {value!r}; a {type_name(type_)} can only be given as $key") from None
        raise BehaviourError(f"{name} is {value!r}: {in_words(str(error).replace(' - at `$`', ''))}") from None
    except TypeError as error:
        raise BehaviourError(f"{name} is {value!r}, which cannot be read as {type_name(type_)}: {error}") from None


def one_of(words: Iterable[Any]) -> str:
    """Return words as a choice: `'a', 'b' or 'c'`."""
    *others, last = map(repr, words)
    return f"{', '.join(others)} or {last}" if others else last


def _finite(value: Any, name: str) -> Any:
    items = value.values() if isinstance(value, dict) else value
    for item in (value, *(items if isinstance(value, list | tuple | set | frozenset | dict) else ())):
        if isinstance(item, float) and not math.isfinite(item):
            raise BehaviourError(f"{name} is {value!r}; give finite numbers")
    return value


def likely_value(text: str) -> Any:
    """Return the most likely value of a text from XML: a number, a boolean, or the text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        return number if str(number) == text.strip() else text
    return text
