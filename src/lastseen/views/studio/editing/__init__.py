"""Levels, rules and drafts that pages edit."""
