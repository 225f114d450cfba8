"""Kernels for walking on a navmesh: straight lines, shortest paths, reachability."""
