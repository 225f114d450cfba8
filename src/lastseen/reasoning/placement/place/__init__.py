"""Placement of guards: places, candidate routes, and the choice among them."""
