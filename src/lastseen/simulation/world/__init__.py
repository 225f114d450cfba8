"""The world: its state, and its construction from a scenario."""
