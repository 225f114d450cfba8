"""Answers to pages: accounts, surveys, comparisons, exports and replays."""
