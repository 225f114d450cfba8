"""Save numba work while it compiles kernels.

Two things take a fifth of the compile time without changing the code: repeated look-ups of the same signature, and
machine code for functions that Python never calls and that their callers inline anyway. A third costs run time: a
function counts references to every array it is passed, atomically, although its caller holds them until it returns. All
are skipped while a kernel of this package is compiled, under the compiler's lock, in the numba versions for which this
was verified (`VERSIONS`). Other versions compile kernels as usual: slower, with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numba
from llvmlite import binding
from numba.core import codegen, environment, ir, lowering, targetconfig
from numba.core.registry import cpu_target
from numba.core.types import functions

VERSIONS = ("0.68.",)
"""Prefixes of the numba versions whose source of the replaced parts was reviewed."""

HOOKS: tuple[tuple[Any, str], ...] = (
    (codegen, "JITCPUCodegen._library_class"),
    (codegen, "JITCodeLibrary._unserialize"),
    (codegen, "JITCodeLibrary._finalize_final_module"),
    (codegen, "JITCodeLibrary._get_compiled_object"),
    (codegen, "JITCodeLibrary.get_pointer_to_function"),
    (environment, "lookup_environment"),
    (functions, "BaseFunction.get_call_type"),
    (lowering, "Lower.lower_assign"),
    (lowering, "Lower.delvar"),
    (lowering, "Lower.incref"),
    (lowering, "Lower.decref"),
    (targetconfig, "ConfigStack.top_or_none"),
)
"""Undocumented parts of numba that this module replaces or calls."""

_ENVIRONMENT = "_ZN08NumbaEnv"


def is_checked() -> bool:
    """Return whether this numba version is one whose work can be skipped safely."""
    return numba.__version__.startswith(VERSIONS)


@contextmanager
def sparing() -> Iterator[None]:
    """Skip needless work of numba within the block, which must hold the compiler's lock."""
    if not is_checked():
        yield
        return
    generator: Any = cpu_target.target_context.codegen()
    look_up = functions.BaseFunction.get_call_type
    functions.BaseFunction.get_call_type = _remembering(look_up)
    generator._library_class = KernelLibrary
    lower: Any = lowering.Lower
    assign, delete = lower.lower_assign, lower.delvar
    lower.lower_assign, lower.delvar = _borrowing(assign, delete)
    try:
        yield
    finally:
        del generator._library_class
        functions.BaseFunction.get_call_type = look_up
        lower.lower_assign, lower.delvar = assign, delete


def _remembering(look_up: Callable[..., Any]) -> Callable[..., Any]:
    """Return a signature look-up that is cached by argument types and compiler flags."""

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


def _borrowing(assign: Callable[..., Any], delete: Callable[..., Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return how variables are assigned and deleted if arguments are borrowed: not counted at either end.

    Copies, parts and returned values of arguments count as usual, as does a variable that is also assigned elsewhere.
    """

    def lower_assign(self: Any, kind: Any, instruction: Any) -> Any:
        name = instruction.target.name
        if not isinstance(instruction.value, ir.Arg) or self.generator_info or len(_definitions(self, name)) != 1:
            return assign(self, kind, instruction)
        self.__dict__.setdefault("_lastseen_borrowed", set()).add(name)
        self.incref = _count_nothing
        try:
            return assign(self, kind, instruction)
        finally:
            del self.incref

    def delvar(self: Any, name: str) -> None:
        if name not in self.__dict__.get("_lastseen_borrowed", ()):
            delete(self, name)
            return
        self.decref = _count_nothing
        try:
            delete(self, name)
        finally:
            del self.decref

    return lower_assign, delvar


def _definitions(lower: Any, name: str) -> list[Any]:
    return cast(list[Any], lower.func_ir._definitions[name])


def _count_nothing(_kind: Any, _value: Any) -> None:
    pass


class _NoCode:
    """Code generator of a library without machine code, which has nothing to set an environment on."""

    @staticmethod
    def set_env(_name: str, _environment: Any) -> None:
        pass


class KernelLibrary(codegen.JITCodeLibrary):
    """Library that is compiled to machine code when an address in it is requested; until then callers inline it."""

    _is_code = False

    @property
    def codegen(self) -> Any:
        """Code generator that environments of functions are set on."""
        return self._codegen if self._is_code else _NoCode

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function; 0 if no function has that name."""
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
        # Functions inlined into this library may have no code of their own that knows their environment.
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
