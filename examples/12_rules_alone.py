"""Rules in a game of your own: two speakers, a memory, an answer, and why a line was said."""

from lastseen.rules import Bark, Speaker, Speakers, Speech, check_rules, parse_rules

rules = parse_rules("""
variables:
  trigger: {enum: [HEAR, ANSWER]}
  npc.health: float
  memory.heard: bool
  ask.name: str
handlers:
  guard.barks:
    rules:
      - {name: hurt, when: [trigger == HEAR, npc.health < 0.5], say: Not again.}
      - {name: twice, when: [trigger == HEAR, memory.heard], say: There it is again!}
      - name: once
        when: trigger == HEAR
        say: Did you hear that?
        remember: {memory.heard: {seconds: 60}}
        then: {handler: guard.answers, who: nearest, facts: {trigger: ANSWER}}
  guard.answers:
    rules: [{name: wind, when: trigger == ANSWER, say: "The wind, {name}."}]
""")
print("faults:", check_rules(rules))
guards = Speakers({"Ames": Speaker((0, 0), facts={"npc.health": 1.0}), "Bell": Speaker((4, 0))})
speech = Speech(rules, guards)
for now in (0.0, 2.0, 9.0):
    said = speech.advance(now) or [speech.bark(Bark("Ames", {"trigger": "HEAR"}), now=now)]
    for one in said:
        print(f"{one.speaker}: {one.text}  ({one.rule})")
print("why not others:", *said[-1].near)

# Expected output:
# faults: []
# Ames: Did you hear that?  (once)
# Bell: The wind, Ames.  (wind)
# Ames: There it is again!  (twice)
# why not others: ('hurt', 'npc.health < 0.5: npc.health is 1.0')
