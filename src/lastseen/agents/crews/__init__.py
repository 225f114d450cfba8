"""Crews: groups of agents that act together.

Takes the requests and knowledge of members and gives each a direction: a suggestion that its own tree may follow. Crews
move no agents, and do not affect an agent that is alone.

`grouping.py` (membership) · `crew.py`, `sensors.py`, `crew_mind.py` · `words.py`, `clauses.py` (vocabulary of roles) ·
`nodes/` (`roles` and `role`) · `assignment.py` · `leaves.py` · `trees/` · `ready.py` · `crews.py` (a step) · `radio.py`
(reinforcements) · `society*.py`, `conversation.py` (searches, gatherings, pairs, talks).
"""
