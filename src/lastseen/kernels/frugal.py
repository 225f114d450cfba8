"""Spare numba work while it compiles kernels.

Two things cost a fifth of the compile time and change no code: looking up the same signature again and again, and
machine code for functions that Python never calls, which their callers contain anyway. Both are spared while a kernel
of ours is compiled, under the compiler's lock, and in versions of numba for which that was checked (`VERSIONS`); in
others kernels are compiled as numba does by itself, slower and with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numba
from llvmlite import binding
from numba.core import codegen, environment, targetconfig
from numba.core.registry import cpu_target
from numba.core.types import functions

VERSIONS = ("0.68.",)
"""Beginnings of the versions of numba whose text of what is replaced here was read."""

HOOKS: tuple[tuple[Any, str], ...] = (
    (codegen, "JITCPUCodegen._library_class"),
    (codegen, "JITCodeLibrary._unserialize"),
    (codegen, "JITCodeLibrary._finalize_final_module"),
    (codegen, "JITCodeLibrary._get_compiled_object"),
    (codegen, "JITCodeLibrary.get_pointer_to_function"),
    (environment, "lookup_environment"),
    (functions, "BaseFunction.get_call_type"),
    (targetconfig, "ConfigStack.top_or_none"),
)
"""What is replaced or called here of numba that its documentation does not promise."""

_ENVIRONMENT = "_ZN08NumbaEnv"


def is_checked() -> bool:
    """Return whether this numba is one of those whose work we know how to spare."""
    return numba.__version__.startswith(VERSIONS)


@contextmanager
def sparing() -> Iterator[None]:
    """Spare numba work within the block, which must hold the compiler's lock."""
    if not is_checked():
        yield
        return
    generator: Any = cpu_target.target_context.codegen()
    look_up = functions.BaseFunction.get_call_type
    functions.BaseFunction.get_call_type = _remembering(look_up)
    generator._library_class = KernelLibrary
    try:
        yield
    finally:
        del generator._library_class
        functions.BaseFunction.get_call_type = look_up


def _remembering(look_up: Callable[..., Any]) -> Callable[..., Any]:
    """Return a look-up of signatures that asks once for each combination of argument types and compiler flags."""

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        flags = targetconfig.ConfigStack.top_or_none()
        if kws or flags is None:
            return look_up(self, context, args, kws)
        known = self.__dict__.setdefault("_lastseen_signatures", {})
        key = context, tuple(args), tuple(flags._values.items())
        try:
            found = known.get(key)
        except TypeError:  # some flags cannot be keys
            return look_up(self, context, args, kws)
        if found is not None:
            signature, self._impl_keys[found[0].args] = found
            return signature
        signature = look_up(self, context, args, kws)
        if signature is not None and all(one.is_precise() for one in (*signature.args, signature.return_type)):
            known[key] = signature, self._impl_keys[signature.args]
        return signature

    return get_call_type


class _NoCode:
    """Stands for the code generator of a library without machine code: there is nothing to give an environment to."""

    @staticmethod
    def set_env(_name: str, _environment: Any) -> None:
        pass


class KernelLibrary(codegen.JITCodeLibrary):
    """Becomes machine code when an address in it is asked for; until then it is there for its callers to contain."""

    _is_code = False

    @property
    def codegen(self) -> Any:
        """Where environments of functions are set."""
        return self._codegen if self._is_code else _NoCode

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function; 0 where there is none of that name."""
        self._ensure_finalized()
        if not self._is_code and self._defines(name):
            self._become_code()
        address: int = super().get_pointer_to_function(name)
        return address

    def _defines(self, name: str) -> bool:
        try:
            return not self._final_module.get_function(name).is_declaration
        except NameError:
            return False

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def _become_code(self) -> None:
        super()._finalize_final_module()
        self._is_code, generator = True, cast(Any, self._codegen)
        # Functions contained in this library may have no code of their own that knows their environment.
        for variable in self._final_module.global_variables:
            found = environment.lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
            if found is not None:
                generator.set_env(variable.name, found)

    def _get_compiled_object(self) -> Any:
        return super()._get_compiled_object() if self._is_code else b""

    @classmethod
    def _unserialize(cls, generator: Any, state: Any) -> Any:
        name, kind, data = state
        if kind == "object" and not data[0]:
            library = generator.create_library(name)
            library._final_module = library._shared_module = binding.parse_bitcode(data[1])
            library._finalized = True
            return library
        library = super()._unserialize(generator, state)
        library._become_code()
        return library
