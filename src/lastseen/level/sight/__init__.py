"""Sight on a level: what blocks it (walls, doors, cover, floors) and queries of lines and areas of sight.

Knows nothing about the agents that look, nor what they make of what they see.
"""
