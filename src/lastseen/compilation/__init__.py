"""Compiling kernels ahead of their first use.

Takes the names of purposes ("chase", "play"); leaves compiled code in the cache. Does not know what kernels compute.
"""
