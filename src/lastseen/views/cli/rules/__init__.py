"""Commands for rule files."""
