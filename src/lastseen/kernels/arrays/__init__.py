"""Tuples of arrays passed to kernels, and bit fields."""
