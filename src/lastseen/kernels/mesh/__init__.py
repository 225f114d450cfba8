"""Kernels for the faces of a navmesh: assembly, point location and cuts."""
