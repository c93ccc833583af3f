"""Many short texts as one artist.

Matplotlib lays out and renders each `Text` anew, which for fifty numbers takes longer than all the
rest of a picture. Here the outline of every character is fetched once, and all texts are drawn as
outlines in one go.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath, text_to_path
from matplotlib.transforms import IdentityTransform, ScaledTranslation, Transform

# Half the height of a digit, in ems of Matplotlib's own font.
HALF_HEIGHT = 0.365
LINE = 1.2  # from one line of words to the next, in ems
SMALLEST_LETTERS = 7.0  # points; smaller ones would only be in the way
SHIFTS = {"left": 0.0, "center": 0.5, "right": 1.0}


class Lettering(PathCollection):
    """Short texts, each at a place of its own.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    places : (N, 2) array
        Where each text goes.
    align : {"left", "center", "right"}
        Which part of a text is at its place.
    size : float
        Font size as a multiple of the picture's.
    stand : bool
        Whether a text stands on its place; else it is vertically centred on it.
    weight : {"normal", "bold"}
        How thick the letters are.
    transform : matplotlib.transforms.Transform, optional
        From the places to the picture; by default that of the data.
    """

    def __init__(
        self,
        axes: Axes,
        places: np.ndarray,
        align: str = "center",
        size: float = 1.0,
        stand: bool = False,
        weight: str = "normal",
        transform: Transform | None = None,
    ):
        super().__init__(
            [],
            sizes=[(size * rcParams["font.size"]) ** 2],
            offsets=np.reshape(places, (-1, 2)),
            offset_transform=axes.transData if transform is None else transform,
            linewidths=0,
            zorder=8,
        )
        self.depth = 0.0 if stand else HALF_HEIGHT
        self.weight = weight
        # Sizes are in points, whatever the axes show.
        self.set_transform(IdentityTransform())
        self.align = align
        self.aligned = [align] * len(self.get_offsets())
        axes.add_collection(self, autolim=False)
        self.set_clip_on(False)

    def write(self, texts: Sequence[str], colours: Sequence[str] | str = "black") -> None:
        """Write one text at each place; between dollar signs, a formula."""
        self.texts = list(texts)
        self.set_paths(
            [
                _outline(text, align, self.weight, self.depth)
                for text, align in zip(texts, self.aligned, strict=True)
            ]
        )
        self.set_facecolor(colours)

    def move(self, places: np.ndarray) -> None:
        """Put the next texts at these places, as many as there are."""
        self.set_offsets(np.reshape(places, (-1, 2)))
        self.aligned = [self.align] * len(self.get_offsets())

    def align_each(self, aligned: Sequence[str]) -> None:
        """Align each text in its own way from here on."""
        self.aligned = aligned


def title_of(axes: Axes, lines_above: float = 0.0, weight: str = "normal") -> Lettering:
    """A title at the left above the axes, for words that change."""
    points = rcParams["axes.titlepad"] + lines_above * rcParams["font.size"]
    up = ScaledTranslation(0, points / 72, axes.figure.dpi_scale_trans)
    place = axes.transAxes + up
    return Lettering(axes, [(0.0, 1.0)], "left", stand=True, weight=weight, transform=place)


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


def letters_high(axes: Axes) -> float:
    """The height of the axes, in ems of the figure's letters."""
    height = axes.get_window_extent().height * 72 / axes.figure.dpi
    return height / rcParams["font.size"]


def width_of(text: str, weight: str = "normal") -> float:
    """The width of a text without formulas, in ems."""
    return sum(_character(character, weight)[2] for character in text)


@cache
def _character(character: str, weight: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Outline and width of a character, in ems."""
    font = FontProperties(size=1, weight=weight)
    width, _, _ = text_to_path.get_text_width_height_descent(character, font, ismath=False)
    if character.isspace():
        return np.empty((0, 2)), np.empty(0, dtype=Path.code_type), width
    path = TextPath((0, 0), character, prop=font)
    return path.vertices, path.codes, width


@lru_cache(maxsize=4096)
def _outline(text: str, align: str, weight: str, depth: float) -> Path:
    """The outline of a text, in ems, that stands ``depth`` below the origin."""
    if not text:
        return Path(np.empty((0, 2)))
    if "$" in text:
        formula = TextPath((0, 0), text, prop=FontProperties(size=1, weight=weight))
        shift = -SHIFTS[align] * formula.get_extents().x1, -depth
        return Path(formula.vertices + shift, formula.codes)
    outlines = [_character(character, weight) for character in text]
    ends = np.cumsum([width for _, _, width in outlines])
    starts = np.concatenate([[0.0], ends[:-1]]) - SHIFTS[align] * ends[-1]
    vertices = [
        vertices + (start, -depth) for (vertices, _, _), start in zip(outlines, starts, strict=True)
    ]
    return Path(np.concatenate(vertices), np.concatenate([codes for _, codes, _ in outlines]))
