"""Opponents: how well intruders evade guards that chase them, by brain."""
