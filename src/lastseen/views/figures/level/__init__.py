"""Pictures of a level, its cells, and guards and places on it."""
