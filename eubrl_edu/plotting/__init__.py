"""The kit that all pictures are made of: a state in, a Matplotlib figure out; no widget here."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
