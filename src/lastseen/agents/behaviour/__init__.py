"""How one agent decides: behaviour trees, in code or in files.

Takes what the agent sees of the world (any object, the *context*), gives a status a tick and, through its leaves,
orders. Does not know what its leaves do: they come in a `Registry`.
"""
