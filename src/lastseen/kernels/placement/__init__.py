"""Kernels that place guards: packing, rounds, choice and path distances."""
