"""Experiments with guard placements, as in the source, and its findings."""
