"""Settings that every test shares."""

from hypothesis import settings

# No deadline: a test is never timed. `make test` draws the same examples each time, so that a
# failure can be repeated; `make test-long` draws many new ones.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("default")
