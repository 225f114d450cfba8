"""Layers of one value per cell that changes over time: layers, stacks, combination, propagation.

Takes a layout and provides arrays with one entry per cell. Knows nothing about why a value is high.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
