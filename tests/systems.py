"""Marks for tests of what not every operating system has."""

import os

import pytest

posix_only = pytest.mark.skipif(
    os.name != "posix", reason="signals, permissions and special files of POSIX"
)
# Marks of what also takes long, with processes of its own.
LONG_ON_POSIX = (pytest.mark.long, posix_only)
