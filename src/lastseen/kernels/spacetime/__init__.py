"""Kernels that search for unseen ways through space and time."""
