"""Pictures of levels, meshes, cells and layers."""
