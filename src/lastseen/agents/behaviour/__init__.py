"""Decisions of one agent: behaviour trees, in code or in files.

Takes the agent's view of the world (any object, the *context*) and returns a status per tick; its leaves give orders.
Leaves come from a `Registry`, and trees know nothing about what they do.
"""
