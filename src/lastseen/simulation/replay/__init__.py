"""Replay: moments, accounts, comparisons and stories of recordings."""
