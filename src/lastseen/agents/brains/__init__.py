"""Brains: what an agent's tree can see and do, and trees ready to use.

Takes the surroundings of a step, gives orders. Does not move anybody: orders may be refused.
"""
