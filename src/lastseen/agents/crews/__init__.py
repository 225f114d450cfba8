"""Crews: several agents that do something together.

Takes what members ask for and know, gives each a direction: a suggestion that its own tree obeys or not. Does not move
anybody, and does not concern an agent that is alone.

`grouping.py` (who is in which crew) · `crew.py`, `sensors.py`, `crew_mind.py` · `words.py`, `clauses.py` (what roles
may say) · `nodes/` (`roles` and `role`) · `assignment.py` · `leaves.py` · `trees/` · `ready.py` · `crews.py` (a step) ·
`radio.py` (who is drawn in) · `society*.py`, `conversation.py` (searches, gatherings, pairs, talks).
"""
