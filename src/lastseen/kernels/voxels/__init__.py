"""Kernels of the voxel builder."""
