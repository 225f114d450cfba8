"""Where a body of radius r can walk.

Takes a `Level` and an `Agent`, gives a frozen `NavMesh`, queries on it and cuts in it. Does not know cells.
"""
