"""A lab as a film: the pictures that it shows while one of its controls moves, in one file.

``python -m eubrl_edu.labs.film FILE`` writes the film that the README begins with.
"""

import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from PIL import Image

from eubrl_edu.labs.lab import Lab


def save_film(
    lab: Lab, over: str, values: Iterable[Any], path: str | Path, seconds: float = 0.15
) -> None:
    """Write what a lab shows while one control moves, as an animated WebP that starts over.

    Parameters
    ----------
    lab : Lab
        It stays where the last value has put it.
    over : str
        The name of the control.
    values : iterable
        Where the control stands, picture by picture.
    path : str or Path
        The file, which ends in ``.webp``.
    seconds : float
        How long each picture stays; the last stays twenty times as long.

    Raises
    ------
    ValueError
        If the lab has no such control, or there is no value, or the file ends otherwise.
    """
    if over not in lab.controls:
        raise ValueError(f"over must be one of {', '.join(lab.controls)}, got {over!r}")
    if Path(path).suffix != ".webp":
        raise ValueError(f"path must end in .webp, got {str(path)!r}")
    pictures = []
    for value in values:
        lab.set(**{over: value})
        pictures.append(Image.open(io.BytesIO(lab.picture.value)).convert("RGB"))
    if not pictures:
        raise ValueError("values must hold at least one value")
    first, *others = pictures
    milliseconds = [round(1000 * seconds)] * len(others) + [round(20_000 * seconds)]
    first.save(path, save_all=True, append_images=others, duration=milliseconds, loop=0, quality=70)


if __name__ == "__main__":
    from eubrl_edu.labs.exploration.lab import ExplorationLab

    save_film(ExplorationLab(world="deepsea", size=8), "time", range(0, 201, 3), sys.argv[1])
