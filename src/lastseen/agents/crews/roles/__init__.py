"""Roles: their vocabulary, conditions and directions, and the assignment of members."""
