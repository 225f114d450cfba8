"""Kernels that search for unseen paths through space and time."""
