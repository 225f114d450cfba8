"""Agents' knowledge of others: position, direction, speed, time, and how it was acquired.

Takes perceptions, returns positions and losses. Does not know how perception works or how agents react.
"""
