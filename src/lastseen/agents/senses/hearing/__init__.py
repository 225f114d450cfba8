"""Hearing: sounds, and the models that decide which agent hears them."""
