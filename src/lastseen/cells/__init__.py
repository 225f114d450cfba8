"""The DSM layout: cells, connectivity, access table, disabled bits, saving and loading.

Turns a `NavMesh` into a frozen `CellLayout`. Knows nothing about the meaning of values, which belong to layers.
"""
