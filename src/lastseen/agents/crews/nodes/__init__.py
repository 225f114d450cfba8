"""Nodes specific to crew trees: `roles` and `role`."""
