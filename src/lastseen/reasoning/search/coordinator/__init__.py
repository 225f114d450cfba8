"""The coordinator: assigns searchers to places, in two modes and two phases."""
