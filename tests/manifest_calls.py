"""Run a script in a process of its own and check that it calls only kernels the manifest knows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CHECK = '''
import importlib
import pkgutil

import lastseen.kernels
from lastseen.compilation.manifest import manifest
from lastseen.kernels.jit import name_among_kernels
from lastseen.kernels.signatures import described

given = manifest()
known = {(entry.kernel, str(given.arguments(entry))) for entry in given.kernels}


def unknown():
    """Return the kernels that were called with types the manifest does not know."""
    found = set()
    for info in pkgutil.walk_packages(lastseen.kernels.__path__, "lastseen.kernels."):
        module = importlib.import_module(info.name)
        for kernel in vars(module).values():
            if hasattr(kernel, "overloads") and kernel.py_func.__module__ == module.__name__:
                full = name_among_kernels(kernel.py_func)
                found |= {(full, str([described(one) for one in types])) for types in kernel.overloads}
    assert found
    return sorted(name for name, types in found - known)


def check(what):
    assert not unknown(), f"{what} calls {unknown()}; rehearse it in tools/rehearsals.py, then run make kernels"


'''


def run_checked(script: str, folder: Path) -> None:
    """Run a script that calls `check(what)` after each thing it does."""
    words = [sys.executable, "-c", CHECK + script]
    done = subprocess.run(words, cwd=folder, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
