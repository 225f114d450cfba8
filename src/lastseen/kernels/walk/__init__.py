"""Kernels of walking on a navmesh: straight lines, shortest paths, reachability."""
