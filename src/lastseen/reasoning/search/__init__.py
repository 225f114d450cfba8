"""Search for a lost target: influence that spreads and is cleaned, and searches in two modes and two phases.

Takes cells, what was perceived and where searchers are; returns places to go to, with reasons. Moves no agent.
"""
