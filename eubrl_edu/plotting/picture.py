"""A figure that a notebook shows, with words for who cannot see it."""

import io
from dataclasses import dataclass

from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Picture:
    """A figure as the last line of a notebook's cell: the picture, and what it says in words.

    Attributes
    ----------
    figure : Figure
        What is shown.
    words : str
        The same in words; they stand in for the picture where it cannot be shown.
    """

    figure: Figure
    words: str

    def __repr__(self) -> str:
        return self.words

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.figure.savefig(buffer, format="png", metadata={"Software": None})
        return buffer.getvalue()
