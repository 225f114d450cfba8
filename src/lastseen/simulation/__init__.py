"""Simulation: worlds that run step by step, their recordings, and experiments that measure them.

Takes levels, cells and scenarios, returns outcomes and tables. Draws nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
