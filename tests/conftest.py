"""Settings that every test shares."""

import os

from hypothesis import settings

# Read when NumPy is loaded, which is later. The matrices of the tests are so small that a second
# thread for one of them costs far more than it saves.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No deadline: a test is never timed. `make test` draws the same examples each time, so that a
# failure can be repeated; `make test-long` draws many new ones.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("default")
