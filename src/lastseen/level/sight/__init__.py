"""Takes a level, gives what blocks sight on it: walls, doors, cover, floors.

Does not know who looks, nor what they make of what they see.
"""
