"""A chase has its kernels ready when it is created: no frame waits for compiling or loading."""

import subprocess
import sys

import pytest

SCRIPT = '''
import importlib
import pkgutil
import sys

import numpy as np

import lastseen.kernels
from lastseen.cells.build import build_layout
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.loss import Loss, View


def versions():
    """Return all kernels with how many versions of each are there, compiled or loaded."""
    found = {}
    for info in pkgutil.walk_packages(lastseen.kernels.__path__, "lastseen.kernels."):
        module = importlib.import_module(info.name)
        for name, kernel in vars(module).items():
            if hasattr(kernel, "overloads"):
                found[name] = len(kernel.overloads)
    return found


layout = build_layout(build_navmesh(sample("corridor")))
losses = []
random = np.random.default_rng(1)
for place in layout.arrays.cell_xyz[random.integers(0, len(layout), 1000)].astype(float):
    losses.append(Loss(place, random.normal(size=2), guard_at=place, guard_view=View(random.normal(size=2))))
chase = Chase(layout, sys.argv[1])
before = versions()
for loss in losses:
    chase.predict(loss)
late = {name: count for name, count in versions().items() if count != before[name]}
assert not late, late
'''


@pytest.mark.parametrize("preset", ["article", "belief", "corridors"])
def test_a_thousand_predictions_compile_nothing_after_set_up(preset):
    ran = subprocess.run([sys.executable, "-c", SCRIPT, preset], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
