"""Replay: accounts of agents at a step of a recording, and comparisons of two recordings."""
