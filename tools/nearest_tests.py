"""The tests nearest to a mutant: those that execute the line it changes, else those that import its module."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import takewhile, zip_longest
from pathlib import Path

from tools.mutants import Mutant
from tools.reached import ABOUT_TEXT, Reached, functions_of

__all__ = ["NearestTests"]

DECLARED = "tests/test_defaults.py"
"""Tests of what modules, classes and signatures declare; no function is executed by them."""
_MOST = 250
"""Tests run on one mutant."""
_NEAREST = 99
"""Group of the tests that import the mutant's module or are named after it; others: folders shared with it."""


class NearestTests:
    """Finds the nearest tests of mutants by what tests execute and by the imports of a project's `src` and `tests`.

    Parameters
    ----------
    root : the folder that holds `src` and `tests`.
    seconds : what the tests of one mutant take together, about.
    """

    def __init__(self, root: Path, seconds: float = 20.0):
        self.root, self.seconds = root, seconds
        self._reached = {plain: Reached(root, plain) for plain in (True, False)}
        files = [*sorted(root.glob("src/**/*.py")), *sorted(root.glob("tests/**/*.py"))]
        self._name_of = {str(file.relative_to(root)): _name(file.relative_to(root)) for file in files}
        known = set(self._name_of.values())
        self._importers: dict[str, set[str]] = defaultdict(set)
        for file in files:
            path = str(file.relative_to(root))
            for one in _imports(file, self._name_of[path]) & known:
                self._importers[one].add(path)

    def is_plain(self, path: str) -> bool:
        """Return whether the tests of a file run kernels as plain Python: where any is known to pass that way."""
        return "/kernels/" in path and bool(self._reached[True].by_module(path))

    def of(self, mutant: Mutant) -> tuple[list[str], float]:
        """Return the nearest tests and the seconds they take together.

        Tests of files that import the module or are named after it come first, then those whose folder is most like
        the module's, the quickest of each file before the second of any; of those, test files that take little come
        first.
        """
        reached = self._reached[self.is_plain(mutant.path)]
        users = self._importers[self._name_of[mutant.path]]
        stem = Path(mutant.path).stem
        groups: dict[int, list[str]] = defaultdict(list)
        for test in self._reaching(reached, mutant):
            file = test.split("::")[0]
            groups[_NEAREST if file in users or stem in file else _shared_folders(mutant.path, file)].append(test)
        taken, total = [], 0.0
        for test in (test for group in sorted(groups, reverse=True) for test in _in_turn(groups[group], reached)):
            if total + reached.seconds[test] <= self.seconds and len(taken) < _MOST:
                taken.append(test)
                total += reached.seconds[test]
        if not taken:
            importers = sorted(user for user in users if _is_test(user) and user not in ABOUT_TEXT)
            return self._declared(mutant) + importers[:3], self.seconds
        cost: dict[str, float] = defaultdict(float)
        for test in taken:
            cost[test.split("::")[0]] += reached.seconds[test]
        near = {test.split("::")[0] for test in groups.get(_NEAREST, ())}
        files = sorted(cost, key=lambda file: (file not in near, cost[file], file))
        taken.sort(key=lambda test: (files.index(test.split("::")[0]), reached.seconds[test]))
        return self._declared(mutant) + taken, total

    def _declared(self, mutant: Mutant) -> list[str]:
        text = (self.root / mutant.path).read_bytes()
        is_declared = mutant.line not in functions_of(text) or mutant.line in _signatures(text)
        return [DECLARED] if is_declared and (self.root / DECLARED).exists() else []

    def _reaching(self, reached: Reached, mutant: Mutant) -> set[str]:
        text = (self.root / mutant.path).read_bytes()
        owner = functions_of(text).get(mutant.line)
        if owner:
            return reached.by_line(mutant.path, *owner)
        name = _assigned(text, mutant.line)
        users = {mutant.path, *self._importers[self._name_of[mutant.path]]}
        found = {
            test
            for user in users
            if user.startswith("src/") and name
            for function in _mentions(self.root / user, name)
            for test in reached.by_line(user, function, -1)
        }
        return found or reached.by_module(mutant.path)


def _signatures(text: bytes) -> set[int]:
    """Return the lines on which functions declare their arguments."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return {line for node in functions for line in range(node.lineno, node.body[0].lineno)}


def _shared_folders(path: str, test: str) -> int:
    """Return how many folders below `src/lastseen` a module shares with a test below `tests`."""
    pairs = zip(path.split("/")[2:-1], test.split("/")[1:-1])
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _in_turn(tests: list[str], reached: Reached) -> Iterator[str]:
    """Yield the quickest test of each file, then the second of each, and so on."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in sorted(tests, key=lambda one: (reached.seconds[one], one)):
        files[test.split("::")[0]].append(test)
    for row in zip_longest(*files.values()):
        yield from (one for one in row if one)


def _assigned(text: bytes, line: int) -> str:
    """Return the name that a line outside of functions gives a value to."""
    found = ""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno <= line <= (node.end_lineno or 0):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            found = target.id if isinstance(target, ast.Name) else found
    return found


@cache
def _mentions(file: Path, name: str) -> list[str]:
    """Return the functions of a file that mention a name."""
    text = file.read_bytes()
    owner = functions_of(text)
    found = set()
    for node in ast.walk(ast.parse(text)):
        said = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
        if said == name and getattr(node, "lineno", 0) in owner:
            found.add(owner[node.lineno][0])  # type: ignore[attr-defined]
    return sorted(found)


def _is_test(path: str) -> bool:
    return Path(path).name.startswith("test_")


def _name(path: Path) -> str:
    """Return the name a module is imported by; the folder of a test file is on the path itself."""
    parts = path.with_suffix("").parts[1:]
    if path.parts[0] == "tests" and _is_test(path.name):
        return path.stem
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(file: Path, name: str) -> set[str]:
    package = name.split(".") if file.stem == "__init__" else name.split(".")[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *(node.module or "").split(".")]).strip(".")
            found |= {base, *(f"{base}.{one.name}" for one in node.names)}
    return found
