"""Levels as the designer drew them: readers, validation, sample levels.

Turns files of many formats into one frozen `Level`. Knows nothing about where agents can walk.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
