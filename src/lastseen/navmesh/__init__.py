"""Where a body of radius r can walk.

Takes a `Level` and an `Body`, gives a frozen `NavMesh`, queries on it and cuts in it. Does not know cells.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
