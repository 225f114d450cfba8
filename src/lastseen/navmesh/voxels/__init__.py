"""From raw triangles to a navmesh, one file per step: rasterise, filter, erode, regions, contours, polygonise, build.

Takes a triangle soup and an agent, gives a navmesh. Does not know what the triangles mean, nor doors, nor levels.
"""
