"""Run a scenario: guards on patrol, a bottle that distracts one of them, and how their states change."""

from lastseen import make_world, parse_scenario, run
from lastseen.figures import Sentences
from lastseen.simulation import shipped_scenarios

print("shipped:", ", ".join(shipped_scenarios()))

setting = parse_scenario("""
level: rooms
seconds: 15
seed: 2
agents:
  - {name: Ames, at: [16, 6], heading: 3.14}
  - {name: Bell, at: [20, 3], heading: 3.14}
script:
  - {at: 2, do: sound, kind: bottle, place: [14, 8]}
""")
world = make_world(setting)
sentence = Sentences.of_world(world)


def tell(now):
    for event in now.events:
        if event.kind in ("state", "said"):
            print(f"{now.time:5.1f} s  {sentence(event)}")


outcome = run(world, each=tell)
print(outcome.reason, f"after {outcome.seconds:g} s")

# Expected output:
# shipped: ...distraction, ...man_down, night_shift, ...two_floors, ...
#   2.3 s  Ames: patrol → suspicious
#   3.1 s  ...
#   9.3 s  Ames: suspicious → return
#   9.3 s  ...
#  12.4 s  Ames: return → patrol
# time over after 15 s
