"""Choose posts, flanks, slots and exits, and measure exposure.

Takes cells, a navmesh and what blocks sight; returns places, paths and exits with reasons, in batches. Knows nothing
about the asker.
"""
