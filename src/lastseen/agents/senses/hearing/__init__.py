"""Hearing: sounds, and the models that decide which agents hear them."""
