"""Pictures of levels, meshes, cells, layers and recordings.

Takes levels, layouts and values; returns deterministic PNG or GIF bytes. Knows nothing about files or commands.
"""
