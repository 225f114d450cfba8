"""Kernels of search maps and of location queries."""
