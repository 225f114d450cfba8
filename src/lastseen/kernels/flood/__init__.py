"""Kernels of chase predictions: heat floods, belief floods, particles."""
