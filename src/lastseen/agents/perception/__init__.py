"""Senses: who sees, hears and notices what, how sure they are, and when they may react.

Takes bodies, what blocks sight and cells, gives sightings, sounds heard and stimuli. Does not know what is remembered.
"""
