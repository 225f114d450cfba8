"""Slow, obvious versions in plain Python of what lastseen computes, to compare with."""
