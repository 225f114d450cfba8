"""Kernels for search maps and location queries."""
