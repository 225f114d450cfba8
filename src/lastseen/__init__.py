"""lastseen: the stealth-AI toolkit. Everything a guard does next starts from where you were last seen.

The names most programs need are here; the rest are in one namespace per subject, as `lastseen.chase` or
`lastseen.placement`. The stub next to this file lists them; each is loaded on first use, so importing is cheap.
"""

import lazy_loader

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
