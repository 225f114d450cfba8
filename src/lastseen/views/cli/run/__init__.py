"""Commands that play, run, replay and explain games."""
