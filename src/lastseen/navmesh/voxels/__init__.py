"""Build a navmesh from raw triangles: solid spans, open spans, regions, contours, triangles, convex faces.

Turns a triangle soup and a body into a navmesh. Knows nothing about the meaning of the triangles, doors or levels.
"""
