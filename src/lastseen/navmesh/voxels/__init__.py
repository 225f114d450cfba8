"""From raw triangles to a navmesh: solid spans, open spans, regions, contours, triangles, convex faces.

Takes a triangle soup and a body, gives a navmesh. Does not know what the triangles mean, nor doors, nor levels.
"""
