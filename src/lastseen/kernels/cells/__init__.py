"""Kernels that build cells, look them up and spread values along their links."""
