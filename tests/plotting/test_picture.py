"""A figure in a notebook: its picture and its words, and nothing left in pyplot."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

import eubrl_edu as eu
from eubrl_edu import labs
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


@pytest.mark.parametrize("style", ["dark_background", {"text.usetex": True}])
def test_a_style_of_the_users_own_does_not_make_the_writing_vanish(style):
    env = eu.make_env("loop")
    env.reset(seed=0)
    plain = env.render()
    with plt.style.context(style):
        np.testing.assert_array_equal(env.render(), plain)
        lab = labs.PatienceLab()
    assert lab.picture.value == labs.PatienceLab().picture.value
