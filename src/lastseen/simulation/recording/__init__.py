"""Recordings: every step of a run, in a file that can be read from any step on, even if the run was killed.

Takes the columns of a world step by step, returns them by step. Does not interpret them.
"""
