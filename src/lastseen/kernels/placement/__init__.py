"""Kernels that place guards: packing, rounds, choice and distances of paths."""
