"""After warming up, no step of a world compiles a kernel: the manifest knows all that 1,000 steps call."""

from manifest_calls import run_checked

SCRIPT = """
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.ready import ready_scenario
from lastseen.simulation.setup import make_world

steps = 0
for name in ("night_shift", "brawl", "cordon"):
    world = make_world(ready_scenario(name))
    while world.ending is None and steps < 1000:
        step(world)
        steps += 1
assert steps == 1000, steps
check("a step")
"""


def test_a_thousand_steps_call_only_kernels_of_the_manifest(tmp_path):
    run_checked(SCRIPT, tmp_path)
