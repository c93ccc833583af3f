"""Many short texts as one artist.

Matplotlib lays out and renders each `Text` anew, which for fifty numbers takes longer than all the
rest of a picture. Here the outline of every character is fetched once, and all texts are drawn as
outlines in one go.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath, text_to_path
from matplotlib.transforms import IdentityTransform

# Half the height of a digit, in ems of Matplotlib's own font.
HALF_HEIGHT = 0.365
SHIFTS = {"left": 0.0, "center": 0.5, "right": 1.0}


class Lettering(PathCollection):
    """Short texts, each at a place of its own and vertically centred on it.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    places : (N, 2) array
        Where each text goes, in data coordinates.
    align : {"left", "center", "right"}
        Which part of a text is at its place.
    size : float
        Font size as a multiple of the picture's.
    """

    def __init__(self, axes: Axes, places: np.ndarray, align: str = "center", size: float = 1.0):
        super().__init__(
            [],
            sizes=[(size * rcParams["font.size"]) ** 2],
            offsets=np.reshape(places, (-1, 2)),
            offset_transform=axes.transData,
            linewidths=0,
            zorder=8,
        )
        # Sizes are in points, whatever the axes show.
        self.set_transform(IdentityTransform())
        self.aligned = [align] * len(self.get_offsets())
        axes.add_collection(self, autolim=False)
        self.set_clip_on(False)

    def write(self, texts: Sequence[str], colours: Sequence[str] | str = "black") -> None:
        """Write one text at each place."""
        self.set_paths(
            [_outline(text, align) for text, align in zip(texts, self.aligned, strict=True)]
        )
        self.set_facecolor(colours)

    def align_each(self, aligned: Sequence[str]) -> None:
        """Align each text in its own way from here on."""
        self.aligned = aligned


def short(value: float) -> str:
    """A number in about four characters."""
    size = abs(value)
    if size < 5e-7:
        return "0"
    if size < 9.5e-4:
        text = f"{value:.0e}".replace("e-0", "e-")
    elif size < 0.0995:
        text = f"{value:.3f}"
    else:
        text = f"{value:.{2 if size < 9.95 else 1 if size < 99.5 else 0}f}"
    return text.replace("-", "−")


@cache
def _character(character: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Outline and width of a character, in ems."""
    font = FontProperties(size=1)
    width, _, _ = text_to_path.get_text_width_height_descent(character, font, ismath=False)
    if character.isspace():
        return np.empty((0, 2)), np.empty(0, dtype=Path.code_type), width
    path = TextPath((0, 0), character, prop=font)
    return path.vertices, path.codes, width


def _outline(text: str, align: str) -> Path:
    if not text:
        return Path(np.empty((0, 2)))
    outlines = [_character(character) for character in text]
    ends = np.cumsum([width for _, _, width in outlines])
    starts = np.concatenate([[0.0], ends[:-1]]) - SHIFTS[align] * ends[-1]
    vertices = [
        vertices + (start, -HALF_HEIGHT)
        for (vertices, _, _), start in zip(outlines, starts, strict=True)
    ]
    return Path(np.concatenate(vertices), np.concatenate([codes for _, codes, _ in outlines]))
