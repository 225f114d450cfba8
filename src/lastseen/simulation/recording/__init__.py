"""Recordings: everything that happened, in a file that can be read from any moment on, even if the run was killed.

Takes the columns of a world step by step, gives them back by time. Does not know what they mean.
"""
