"""Where the words of a picture are, and that none is in the way of another or outside."""

from itertools import combinations

import numpy as np
from matplotlib.transforms import Bbox

from eubrl_edu.plotting.lettering import Lettering


def boxes_of(artist, renderer) -> list[Bbox]:
    """The boxes, in pixels, of a text, a legend, or each text of a `Lettering`."""
    if not isinstance(artist, Lettering):
        box = artist.get_window_extent(renderer)
        return [box] if artist.get_visible() and box.width > 1 else []
    scale = np.sqrt(artist.get_sizes()[0]) * renderer.dpi / 72
    places = artist.get_offset_transform().transform(artist.get_offsets())
    return [
        Bbox(path.get_extents().get_points() * scale + place)
        for path, place in zip(artist.get_paths(), places, strict=True)
        if len(path.vertices) > 1
    ]


def require_apart(figure, renderer, artists) -> None:
    """Raise ``AssertionError`` if words overlap by more than a hair, or leave the picture."""
    found = [(box, artist) for artist in artists for box in boxes_of(artist, renderer)]
    assert found
    for box, artist in found:
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1, (artist, box)
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, (artist, box)
    for (one, artist), (other, beside) in combinations(found, 2):
        assert not one.padded(-1).overlaps(other.padded(-1)), (artist, one, beside, other)


def shown_ticks(axis) -> list:
    """The labels of an axis that are within its limits."""
    low, high = sorted(axis.get_view_interval())
    return [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
