"""The DSM layout: cells, connectivity, access, disabled bits, save and load.

Takes a `NavMesh`, gives a frozen `CellLayout`. Does not know what values mean: that is for layers.
"""
