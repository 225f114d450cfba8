"""Kernels for chase predictions: heat floods, belief floods and particles."""
