"""Guards at work: a scenario in a few lines, run and recorded, and why an agent did what it did."""

from lastseen import Recording, make_world, parse_scenario, record
from lastseen.figures import Sentences
from lastseen.simulation import account_of

scenario = parse_scenario("""
level: corridor
search_seconds: 10
ends: [all calm]
agents:
  - {name: Ames, at: [6, 4], heading: 0, patrol: beat}
  - {name: you, brain: puppet, at: [14, 4]}
script:
  - {at: 1.5, do: remove, agent: you}
""")
outcome = record(make_world(scenario), "run.rec")
print(outcome.reason, "after", round(outcome.seconds), "s")

recording = Recording.read("run.rec")
flood = next(event for event in recording.events() if event.kind == "flood")
account = account_of(recording, "Ames", (flood.tick + 1) * recording.about.step)
print(account.agent, "is in", account.state)
for known in account.known:
    print(f"knows of {known.target} by {known.source}; now {known.sight}")
print(Sentences.of_recording(recording)(account.decision) if account.decision else "has not decided yet")

# Expected output:
# all calm after ... s
# Ames is in chase
# knows of you by sight; now absent
# Ames runs to (...), ... m away: ...
