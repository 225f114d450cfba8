"""After warming up, no step of a world compiles a kernel: the manifest knows all that 1,000 steps call."""

import os
import subprocess
import sys

SCRIPT = '''
import importlib
import pkgutil

import lastseen.kernels
from lastseen.compilation.manifest import manifest
from lastseen.kernels.signatures import described
from lastseen.simulation.run import step
from lastseen.simulation.scenario.ready import ready_scenario
from lastseen.simulation.setup import make_world

given = manifest()
known = {(entry.kernel, str(given.arguments(entry))) for entry in given.kernels}


def called():
    """Return all kernels called so far, with the types of their arguments."""
    found = set()
    for info in pkgutil.iter_modules(lastseen.kernels.__path__):
        module = importlib.import_module(f"lastseen.kernels.{info.name}")
        for name, kernel in vars(module).items():
            if hasattr(kernel, "overloads") and kernel.py_func.__module__ == module.__name__:
                found |= {(f"{info.name}.{name}", str([described(one) for one in types])) for types in kernel.overloads}
    return found


steps = 0
for name in ("night_shift", "brawl", "cordon"):
    world = make_world(ready_scenario(name))
    while world.ending is None and steps < 1000:
        step(world)
        steps += 1
assert steps == 1000, steps
missing = sorted(called() - known)
assert called() and not missing, f"a step calls {missing}; rehearse it in tools/rehearsals.py, then run make kernels"
'''


def test_a_thousand_steps_call_only_kernels_of_the_manifest():
    found = subprocess.run([sys.executable, "-c", SCRIPT], env=os.environ, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr[-2000:]
