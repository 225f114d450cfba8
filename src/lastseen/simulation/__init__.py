"""Time: pursuits run step by step, and how well predictors do in them.

Takes cells and predictors, gives outcomes and tables. Does not know how they are shown.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
