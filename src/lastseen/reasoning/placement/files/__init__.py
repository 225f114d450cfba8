"""Guards and paths in files and in levels."""
