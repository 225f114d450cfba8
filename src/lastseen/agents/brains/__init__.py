"""Brains: the context and leaves of agents' trees, and the shipped trees.

Takes the surroundings of a step, gives orders. Moves no body: orders may be refused.
"""
