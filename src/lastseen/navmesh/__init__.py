"""The navmesh: where a body of a given size can walk.

Turns a `Level` and a `Body` into a frozen `NavMesh`, with queries on it and cuts in it. Knows nothing about cells.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
