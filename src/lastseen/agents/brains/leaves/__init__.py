"""Leaves of the shipped brains: conditions on a mind, and what its agent can do."""
