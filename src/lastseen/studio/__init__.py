"""Show a game of your own in the studio while it runs: agents, points, lines, numbers, events and reasons.

`connect` finds a running studio and returns a `Feed`; the game fills it and sends it frame by frame.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
