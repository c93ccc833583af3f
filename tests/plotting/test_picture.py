"""A figure in a notebook: its picture and its words, and nothing left in pyplot."""

import io

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from eubrl_edu.plotting.picture import Picture


def test_shows_its_figure_and_says_its_words():
    figure = Figure((3, 2), dpi=50)
    figure.subplots().plot([1, 2])
    picture = Picture(figure, "A line that rises.")
    assert repr(picture) == "A line that rises."
    pixels = np.asarray(Image.open(io.BytesIO(picture._repr_png_())))
    assert pixels.shape[:2] == (100, 150) and pixels.std() > 1
    assert picture._repr_png_() == picture._repr_png_()
    assert plt.get_fignums() == []
