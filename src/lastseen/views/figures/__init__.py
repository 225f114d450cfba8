"""Pictures of levels, meshes, cells and layers.

Takes levels, layouts and values; gives PNG bytes, the same bytes every time. Knows nothing of files or commands.
"""
