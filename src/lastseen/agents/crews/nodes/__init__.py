"""Nodes that only trees of crews have: `roles`, and each `role` under it."""
