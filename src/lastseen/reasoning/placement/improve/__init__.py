"""Improvement: a search for guards that meet targets better."""
