"""Verification: whether players get through a level with guards, and by which paths."""
