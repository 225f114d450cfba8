"""The coordinator: searches in two modes and two phases, with a pool of spots."""
