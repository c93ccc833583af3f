"""Marks for tests of what not every operating system has."""

import os

import pytest

posix_only = pytest.mark.skipif(
    os.name != "posix", reason="signals, permissions and special files of POSIX"
)
