"""`python -m benchmarks.peers`: fetch and compile what benchmarks compare with; say in a word what cannot be had."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

from . import packages, recast

PACKAGES = {"scipy": "scipy", "py_trees": "py_trees"}
"""Packages by name, and the module each brings, that share our environment: they compute with the same numpy."""


def install(package: str, module: str) -> str:
    if importlib.util.find_spec(module) is not None:
        return ""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"pip install {package} failed: {(done.stderr.strip().splitlines() or ['?'])[-1]}" if done.returncode else ""


def main() -> int:
    print(f"Recast: {recast.install() or 'ready'}", flush=True)
    for package, module in PACKAGES.items():
        print(f"{package}: {install(package, module) or 'ready'}", flush=True)
    for package, module in packages.RULE_ENGINES.items():
        print(f"{package}: {packages.install(package, module) or 'ready'}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
