"""Crews: groups of agents that act together.

Takes the requests and knowledge of members and gives each a direction: a suggestion that its own tree may follow. Crews
move no agents, and do not affect an agent that is alone.
"""
