"""Reason over cells and layers: predict, search, pick places, plan tactics and place guards.

Each package takes a layout and what a guard knows, and returns frozen answers with reasons. None imports another, moves
an agent or keeps time.
"""
