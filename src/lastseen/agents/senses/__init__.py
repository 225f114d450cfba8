"""Senses: what agents see, hear and notice, with what certainty, and when they may react.

Takes bodies, cells and what blocks sight; gives sightings, sounds heard and stimuli. Does not know what is remembered.
"""
