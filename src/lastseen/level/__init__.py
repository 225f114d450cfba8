"""Levels as the designer drew them: readers, validation, sample levels.

Turns files of many formats into one frozen `Level`. Knows nothing about where agents can walk.
"""
