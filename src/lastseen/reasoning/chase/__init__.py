"""Predict where to run after losing a target, from where it was last seen and which way it went.

Takes a `Loss` (what the guard knows) and returns a `Prediction`, without access to the target's true position.
"""
