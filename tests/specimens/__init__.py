"""Named levels, layouts, worlds, files and values for tests."""
