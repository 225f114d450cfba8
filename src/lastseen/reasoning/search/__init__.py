"""Where to look next? Influence that spreads and is cleaned, and searches in two modes and two phases.

Takes cells, what was perceived and where searchers are; gives places to go to, with reasons. Does not move anybody.
"""
