"""The tests nearest to a module: those that import it, else those that import its importers."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

__all__ = ["NearestTests"]

_ABOUT_TEXT = ("tests/compilation/", "tests/test_guards.py", "tests/test_snippets.py", "tests/kernels/test_shipped.py")
"""Tests that notice every change of a text, or that run everything: they say nothing about a mutant."""


class NearestTests:
    """Finds the nearest tests of modules by the imports of a project's `src` and `tests`.

    Parameters
    ----------
    root : the folder that holds `src` and `tests`.
    most : number of test files for each module.
    furthest : number of imports between a test and the module.
    """

    def __init__(self, root: Path, most: int = 6, furthest: int = 3):
        self.most, self.furthest = most, furthest
        files = [*sorted(root.glob("src/**/*.py")), *sorted(root.glob("tests/**/*.py"))]
        self._name_of = {str(file.relative_to(root)): _name(file.relative_to(root)) for file in files}
        known = set(self._name_of.values())
        self._importers: dict[str, set[str]] = defaultdict(set)
        self._breadth: dict[str, int] = {}
        for file in files:
            path = str(file.relative_to(root))
            found = {one for one in _imports(file, self._name_of[path]) if one in known}
            self._breadth[path] = len(found)
            for one in found:
                self._importers[one].add(path)

    def of(self, path: str) -> list[str]:
        """Return the nearest test files, at most `most`: a single one that imports the module is joined by others.

        Of tests as near as each other, one named after the module comes first, then one of the same folder or named
        after it, then the one that imports least.
        """
        found: dict[str, int] = {}
        waiting, seen = [path], {path}
        for distance in range(self.furthest + 1):
            importers = {user for one in waiting for user in self._importers[self._name_of[one]]} - seen
            seen |= importers
            found |= {user: distance for user in importers if _is_test(user)}
            waiting = sorted(user for user in importers if not _is_test(user))
            if len(found) >= 2:
                break
        stem = Path(path).stem
        found |= {one: 0 for one in self._name_of if Path(one).name == f"test_{stem}.py" and _is_test(one)}
        folders = set(Path(path).parts[2:-1])

        def rank(test: str) -> tuple[int, bool, int, int, str]:
            shared = len(folders & {*Path(test).parts, *Path(test).stem.split("_")})
            return found[test], stem not in Path(test).stem, -shared, self._breadth[test], test

        return sorted(found, key=rank)[: self.most]


def _is_test(path: str) -> bool:
    return Path(path).name.startswith("test_") and not path.startswith(_ABOUT_TEXT)


def _name(path: Path) -> str:
    """Return the name a module is imported by; those of tests lie on the path themselves."""
    parts = path.with_suffix("").parts[1:]
    if path.parts[0] == "tests":
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
