"""Many seeds: the paper's experiments as data, run and gathered into tables."""

import lazy_loader

# Agents by name need no pandas; only the tables do.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
