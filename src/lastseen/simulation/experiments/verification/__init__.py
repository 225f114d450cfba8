"""Experiments with verifications: whether a player can still sneak through a level with guards."""
