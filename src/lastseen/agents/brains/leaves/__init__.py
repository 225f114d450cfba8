"""Leaves of the ready brains: what can be asked of a mind, and what it can do."""
