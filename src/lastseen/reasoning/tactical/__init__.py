"""Where to stand, which way round, what is exposed, and where somebody can get out.

Takes cells, a navmesh and what blocks sight; gives places, routes and exits with reasons, many at a time. Does not know
who asks.
"""
