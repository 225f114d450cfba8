"""Kernels of lines of sight and visible areas."""
