"""Bindings of database variables to the objects and functions that supply their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ....checks import shown
from ....errors import RuleError, did_you_mean
from .condition import checked_condition
from .resolution import CHANCE
from .rule import Condition, Database, VariableSpec
from .sources import Constant, Roots, Source

Function = Callable[[Roots], Any]


class Bindings:
    """Sources of variables, by path.

    Parameters
    ----------
    variables : a database or its variables; only these can be bound.

    Examples
    --------
    >>> bindings.bind("npc.health", Attribute("health"))
    >>> bindings.bind("npc.alone", lambda roots: not roots["npc"].friends)
    >>> bindings.set("level.chaos", "HIGH")
    >>> engine.evaluate(bindings.facts(npc=guard))
    """

    def __init__(self, variables: Database | Mapping[str, VariableSpec]):
        given = variables.variables if isinstance(variables, Database) else variables
        if not isinstance(given, Mapping) or not all(isinstance(spec, VariableSpec) for spec in given.values()):
            raise RuleError(f"variables are {shown(variables)}; give a database or its variables")
        self._variables = given
        self._readers: dict[str, Callable[[Roots], Any]] = {}
        self._root_of: dict[str, str] = {}

    def bind(self, path: str, source: Source | Function, *, again: bool = False) -> None:
        """Bind a variable to a source or to a function of the objects that an evaluation is about.

        Parameters
        ----------
        again : replace an existing binding; otherwise a second source is an error.

        Raises
        ------
        RuleError
            There is no such variable, it is already bound, or a constant has the wrong type.
        """
        self._known(path)
        if path in self._readers and not again:
            raise RuleError(f"{path} is already bound; bind it once, or give again=True")
        if isinstance(source, Constant):
            self._fits(path, source.value)
        self._root_of.pop(path, None)
        if hasattr(source, "read"):
            read = source.read
            self._readers[path] = lambda roots: read(roots, path)
            if hasattr(source, "of"):
                self._root_of[path] = source.of or path.partition(".")[0]
        elif callable(source):
            self._readers[path] = source
        else:
            raise RuleError(f"{path} is bound to {shown(source)}; give Attribute(…), Method(…), … or a function")

    def set(self, path: str, value: Any) -> None:
        """Set a variable to a constant, whatever it was bound to before.

        Raises
        ------
        RuleError
            There is no such variable, or the value has the wrong type.
        """
        self.bind(path, Constant(value), again=True)

    @property
    def unbound(self) -> tuple[str, ...]:
        """Variables without a source, except `random.*`; rules that use them never fire."""
        return tuple(path for path in self._variables if path not in self._readers and not path.startswith(CHANCE))

    def facts(self, given: Mapping[str, Any] | None = None, /, **roots: Any) -> Facts:
        """Return facts that are read on demand; `given` holds values that are already known.

        Raises
        ------
        RuleError
            An object's name nearly matches one that sources read from and that is missing.
        """
        wanted = set(self._root_of.values())
        missing = wanted - roots.keys()
        for name in roots.keys() - wanted if missing else ():
            hint = did_you_mean(name, missing)
            if hint:
                raise RuleError(
                    f"nothing is read from {name!r}{hint}; give {', '.join(f'{one}=…' for one in sorted(wanted))}"
                )
        if given is not None and not isinstance(given, Mapping):
            raise RuleError(f"facts given are {shown(given)}; give values by path")
        return Facts(self._readers, dict(given or {}), roots)

    def _known(self, path: Any) -> None:
        if not isinstance(path, str) or path not in self._variables:
            hint = did_you_mean(path, self._variables)
            raise RuleError(f"no variable {shown(path)}{hint}; declare it under `variables`")

    def _fits(self, path: str, value: Any) -> None:
        if not isinstance(value, bool | int | float | str):
            raise RuleError(f"{path} is set to {shown(value)}; give a boolean, a number or text")
        checked_condition(Condition(path, "==", value), self._variables)


class Facts:
    """Values of variables at one moment, each read from its source on first use and then kept.

    `read` holds the values read so far, by path. Exceptions of a source propagate: the engine treats rules that need
    the value as not matching and reports the exception once.
    """

    __slots__ = ("_readers", "_roots", "read")

    def __init__(self, readers: Mapping[str, Callable[[Roots], Any]], read: dict[str, Any], roots: Roots):
        self._readers, self.read, self._roots = readers, read, roots

    def __call__(self, path: str) -> Any:
        """Return the value of a variable, or None if it is unknown."""
        if path in self.read:
            return self.read[path]
        reader = self._readers.get(path)
        value = self.read[path] = None if reader is None else reader(self._roots)
        return value
