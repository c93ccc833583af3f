"""A film of a lab holds the pictures that the lab shows, one for each place of its control."""

import io

import numpy as np
import pytest
from PIL import Image

from eubrl_edu.labs import BeliefLab
from eubrl_edu.labs.film import save_film


def pixels(picture):
    return np.asarray(picture.convert("RGB")).astype(float)


def test_the_pictures_are_the_labs(tmp_path):
    lab = BeliefLab()
    save_film(lab, "seen_a", [0, 3, 9], tmp_path / "belief.webp", seconds=0.1)
    film = Image.open(tmp_path / "belief.webp")
    assert film.n_frames == 3 and film.info["loop"] == 0
    durations = []
    for number, value in enumerate([0, 3, 9]):
        film.seek(number)
        film.load()
        durations.append(film.info["duration"])
        shown, other = (
            pixels(Image.open(io.BytesIO(BeliefLab(seen_a=seen).picture.value)))
            for seen in (value, 20)
        )
        assert np.abs(pixels(film) - shown).mean() < 2 < np.abs(pixels(film) - other).mean()
    assert durations == [100, 100, 2000]
    assert lab.controls["seen_a"].value == 9


@pytest.mark.parametrize(
    ("over", "values", "name", "words"),
    [
        ("depth", [1], "film.webp", "over must be one of"),
        ("seen_a", [], "film.webp", "at least one"),
        ("seen_a", [1], "film.mp4", "must end in .webp"),
    ],
)
def test_what_cannot_be_filmed_is_refused(tmp_path, over, values, name, words):
    with pytest.raises(ValueError, match=words):
        save_film(BeliefLab(), over, values, tmp_path / name)
    assert not list(tmp_path.iterdir())
