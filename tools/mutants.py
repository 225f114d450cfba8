"""Mutants: copies of a Python file with one fault each.

A fault has to be one that a test can notice. So these are made visible, or left out:

- A whole number changes by one, from 10 on it is a quantity and doubled as others are. -1 becomes 0, and -1.0 becomes
  1.0: any negative number often means "none", so -2 would say the same.
- A tolerance, of at most `TOLERANCE`, becomes a decimetre: doubled it stays below what any result shows.
- A comparison with a threshold that no binary number equals, such as 0.1 or 1e-9, is only reversed: whether `<` or `<=`
  is meant cannot be told, as nothing is exactly there. With 0.0, 0.5 or 3 it can.
- The room of an array shrinks: one more row of scratch memory changes nothing, one less is missed. Room for 10 or more
  is a first guess that kernels outgrow, and stays.
- Types, decorators, messages, exports, and what `zip` or `field` only declare stay.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Set
from dataclasses import dataclass

__all__ = ["Mutant", "mutants_of", "thresholds_of"]

TOLERANCE = 1e-4
_VISIBLE = 0.1
_QUANTITY = 10
_FINEST = 2**20
_ROOM = ("empty", "zeros", "ones", "full")

SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
OPPOSITE = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}


@dataclass(frozen=True)
class Mutant:
    """One changed place: bytes `start` to `end` of a file become `after`."""

    path: str
    line: int
    before: str
    after: str
    start: int
    end: int
    text: str = ""
    """The line in which it begins."""

    @property
    def change(self) -> str:
        """The change in words, on one line."""
        return " → ".join(" ".join(text.split()) for text in (self.before, self.after))

    def applied(self, text: bytes) -> bytes:
        """Return the file's text with the change made."""
        return text[: self.start] + self.after.encode() + text[self.end :]


def thresholds_of(text: bytes) -> set[str]:
    """Return the public names of a module's values that depend on a number which no binary number equals."""
    return {name for name in _inexact_names(ast.parse(text).body, frozenset()) if not name.startswith("_")}


def _inexact_names(body: list[ast.stmt], known: Set[str]) -> set[str]:
    """Return the names that statements give to such values, with those known before."""
    names = set(known)
    for node in body:
        match node:
            case ast.Assign([ast.Name(name)], ast.Constant() | ast.BinOp() | ast.Call(args=[ast.Constant()]) as value):
                if _is_inexact(value, names):
                    names.add(name)
    return names


def mutants_of(path: str, text: bytes, thresholds: Set[str] = frozenset()) -> list[Mutant]:
    """Return every mutant of a file that is not known to compute the same, in the order of its text.

    Parameters
    ----------
    thresholds : what `thresholds_of` finds in the modules that the file imports; its own are known.
    """
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found, lines = [], text.decode().splitlines()
    tree = ast.parse(text)
    same = {(id(node), after) for each in ast.walk(tree) for node, after in _same(each)}
    same |= {(id(node), after) for node, after in _at_thresholds(tree, thresholds)}
    room = {id(node) for each in ast.walk(tree) for node in _room(each)}
    for node, after in _changes(tree, room):
        if (id(node), after) in same:
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        before = text[start:end].decode()
        if before != after:
            found.append(Mutant(path, node.lineno, before, after, start, end, lines[node.lineno - 1].strip()))
    return sorted(found, key=lambda one: (one.start, one.end, one.after))


def _changes(node: ast.AST, room: Set[int]) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield nodes with the text to put in their place; types, decorators, names of exports and prose stay."""
    match node:
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            yield node, repr(_changed(-value))
            return
    if isinstance(node, ast.Compare | ast.BinOp | ast.BoolOp):
        yield from ((node, text) for text in _swapped(node))
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, int | float):
            yield node, repr(_shrunk(node.value) if id(node) in room else _changed(node.value))
    elif isinstance(node, ast.Name) and node.id in OPPOSITE:
        yield node, OPPOSITE[node.id]
    elif isinstance(node, ast.Attribute) and node.attr in OPPOSITE:
        yield node, f"{ast.unparse(node.value)}.{OPPOSITE[node.attr]}"
    elif isinstance(node, ast.If | ast.While | ast.IfExp) and not _declared(node) and not _is_swapped(node.test):
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    elif _removable(node):
        yield node, "pass"  # type: ignore[misc]
    for child in _followed(node):
        yield from _changes(child, room)


def _changed(value: float) -> float:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return 2 * value if value >= _QUANTITY else value + 1
    if 0.0 < abs(value) <= TOLERANCE:
        return math.copysign(_VISIBLE, value)
    return -value if value < 0.0 else 2.0 * value or 1.0


def _shrunk(value: float) -> float:
    return value if value >= _QUANTITY else value - 1 if value else 1


def _room(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the whole numbers in the shape of a new array."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("np"), name), [shape, *_]) if name in _ROOM:
            inside = [part for each in ast.walk(shape) if isinstance(each, ast.Subscript) for part in ast.walk(each)]
            for part in ast.walk(shape):
                if isinstance(part, ast.Constant) and type(part.value) is int and part not in inside:
                    yield part


def _is_inexact(node: ast.AST, names: Set[str]) -> bool:
    """Return whether a value depends on a number which no binary number equals, by its name or as a number."""
    return any(
        (isinstance(part, ast.Constant) and isinstance(part.value, float) and not (part.value * _FINEST).is_integer())
        or (isinstance(part, ast.Name) and part.id in names)
        for part in ast.walk(node)
    )


def _at_thresholds(tree: ast.Module, imported: Set[str]) -> Iterator[tuple[ast.Compare, str]]:
    """Yield comparisons with such a number and the change that moves their boundary by nothing."""
    known = _inexact_names(tree.body, imported)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            inside = list(ast.walk(function))
            names = _inexact_names([node for node in inside if isinstance(node, ast.Assign)], known)
            for node in inside:
                match node:
                    case ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE(), *_]):
                        if _is_inexact(node, names):
                            yield node, next(_swapped(node))


def _declared(node: ast.AST) -> list[ast.AST]:
    """Return the parts that compute nothing: what a class or `zip` forbids or saves, and imports for types only."""
    if isinstance(node, ast.ClassDef):
        return [*node.keywords]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("zip", "field"):
        return [word for word in node.keywords if word.arg in ("strict", "repr")]
    return [node.test, *node.body] if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" else []


def _swapped(node: ast.Compare | ast.BinOp | ast.BoolOp) -> Iterator[str]:
    old = node.ops[0] if isinstance(node, ast.Compare) else node.op
    for new in SWAPS.get(type(old), ()):
        other = ast.parse(ast.unparse(node), mode="eval").body
        if isinstance(other, ast.Compare):
            other.ops[0] = new()  # type: ignore[call-overload]
        else:
            other.op = new()  # type: ignore[attr-defined]
        yield f"({ast.unparse(other)})"


def _is_swapped(test: ast.expr) -> bool:
    """Return whether a change of its operator negates a condition, too."""
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and len(SWAPS.get(type(test.ops[0]), ())) == 1


def _same(node: ast.AST) -> Iterator[tuple[ast.Compare, str]]:
    """Yield comparisons with a change that makes no difference: `x if x < y else y` has one value for equal numbers.

    So does `if x < y: y = x`, whatever else its condition asks for.
    """
    match node:
        case ast.IfExp(test=ast.Compare() as test):
            tests, sides = [test], [node.body, node.orelse]
        case ast.If(test=ast.Compare() as test, body=[ast.Assign([target], value)], orelse=[]):
            tests, sides = [test], [target, value]
        case ast.If(test=ast.BoolOp(ast.And(), parts), body=[ast.Assign([target], value)], orelse=[]):
            tests, sides = [part for part in parts if isinstance(part, ast.Compare)], [target, value]
        case _:
            return
    for test in tests:
        match test:
            case ast.Compare(left, [ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], [right]):
                if {ast.unparse(one) for one in sides} == {ast.unparse(left), ast.unparse(right)}:
                    yield test, next(_swapped(test))


def _removable(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):  # without a plain name the next line would fail, whatever the tests look at
        return all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom)
    return isinstance(node, ast.AugAssign | ast.Continue | ast.Break | ast.Raise | ast.Delete)


def _followed(node: ast.AST) -> Iterator[ast.AST]:
    skipped: list[object] = [*_declared(node)]
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert):
        return
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "cast"):
        return
    for name in ("annotation", "returns", "decorator_list"):
        value = getattr(node, name, None)
        skipped += value if isinstance(value, list) else [value]
    is_module = isinstance(node, ast.Module)
    for child in ast.iter_child_nodes(node):
        # `A | B` of a module is a type.
        is_type = is_module and isinstance(child, ast.Assign) and isinstance(child.value, ast.BinOp | ast.Subscript)
        if child not in skipped and not is_type:
            yield child
