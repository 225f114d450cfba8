"""A brain of your own: a tree in a file next to the scenario, made of the leaves that come with lastseen."""

import tempfile
from pathlib import Path

from lastseen import make_world, read_scenario, run
from lastseen.trees import brain_text

print(brain_text("roamer").splitlines()[0])

with tempfile.TemporaryDirectory() as folder:
    Path(folder, "lazy.yaml").write_text("""
trees:
  lazy:
    reactive_selector:
      - guard: [sees_intruder, {sequence: [{be: {state: engage}}, {run_once: [{say: {line: "Hey!"}}]}, stand_still]}]
      - look_round: {seconds: 4}
""")
    Path(folder, "lazy_guard.yaml").write_text("""
level: corridor
seconds: 6
agents:
  - {name: Ames, brain: lazy.yaml, team: guards, at: [4, 4], heading: 1.57}
  - {name: player, brain: puppet, at: [12, 4]}
""")
    world = make_world(read_scenario(Path(folder, "lazy_guard.yaml")))
    outcome = run(world, each=lambda now: [print(event.line) for event in now.events if event.kind == "said"])
print(outcome.reason)
print(world.trees[0].as_text())

# Expected output:
# # A roamer: walks from one distant place to another and never leaves; when seen, it runs out of sight and roams on.
# Hey!
# Time to go.
# time over
# ▶ reactive_selector
# ├─ ▶ guard
# │  ├─ ✓ sees_intruder: sees player
# │  └─ ▶ sequence
# │     ├─ · be (engage)
# │     ├─ · run_once
# │     │  └─ · say ('Hey!')
# │     └─ ▶ stand_still
# └─ · look_round (seconds: 4)
