"""The DSM layout: cells, connectivity, access table, disabled bits, saving and loading.

Turns a `NavMesh` into a frozen `CellLayout`. Knows nothing about the meaning of values, which belong to layers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
