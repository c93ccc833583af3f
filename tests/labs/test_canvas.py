"""Pillow reads what `encode_png` writes."""

import io

import numpy as np
import pytest
from PIL import Image

from eubrl_edu.labs.canvas import encode_png


@pytest.mark.parametrize("shape", [(1, 1, 3), (7, 5, 3), (200, 301, 3)])
def test_pillow_reads_the_same_pixels(shape):
    pixels = np.random.default_rng(0).integers(256, size=shape, dtype=np.uint8)
    read = Image.open(io.BytesIO(encode_png(pixels)))
    read.verify()
    read = Image.open(io.BytesIO(encode_png(pixels)))
    assert read.mode == "RGB"
    np.testing.assert_array_equal(np.asarray(read), pixels)


def test_a_view_of_a_larger_picture_is_written_as_it_looks():
    pixels = np.random.default_rng(1).integers(256, size=(20, 30, 4), dtype=np.uint8)
    read = Image.open(io.BytesIO(encode_png(pixels[..., :3])))
    np.testing.assert_array_equal(np.asarray(read), pixels[..., :3])
