"""Moving: bodies follow the ways to their goals, keep apart and stay on the floor.

Takes orders and a mesh, gives the next generation of bodies. Does not know why anybody goes anywhere.
"""
