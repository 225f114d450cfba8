"""Kernels of vision, hearing and knowledge."""
