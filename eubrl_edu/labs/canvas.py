"""The figures of a lab: built once, their moving artists drawn anew, and sent as PNG bytes."""

import struct
import zlib
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from eubrl_edu.labs.declared import Declared
from eubrl_edu.plotting.style import rc_parameters
from eubrl_edu.plotting.turns import IN_TURN

PALE = 0.35
DRAWINGS_KEPT = 4  # up to 30 MB each, at two dots to the pixel
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
EIGHT_BITS, RED_GREEN_BLUE = 8, 2
ZLIB_QUICKEST = b"\x78\x01"  # how a stream begins that was made at the quickest level


class Drawing:
    """A figure that is built, with what moves in it.

    Attributes
    ----------
    figure, agg
        The figure, and the canvas that it is drawn on.
    panels
        The lab's ``Picture``.
    moving : list of Artist
        What is drawn anew each time, from back to front.
    background
        All the rest, as it was drawn last.
    """

    def __init__(self, lab: Declared, ratio: float = 1) -> None:
        dots = lab.dots_per_inch * ratio
        self.figure = Figure(lab.figure_inches, dots, layout="constrained")
        self.agg = FigureCanvasAgg(self.figure)
        self.panels: Any = None
        self.moving: list[Artist] = []
        self.background: Any = None


class Canvas:
    """Draws a lab's states.

    What moves is drawn anew each time; all the rest is kept as a background and drawn again only
    when Matplotlib calls it stale (other limits, another title). Where the lab has gone
    over to another structure and comes back, its figure is still there.

    Parameters
    ----------
    lab : Declared
        It says how large the figure is, and whose ``Picture`` it is.

    Attributes
    ----------
    drawing : Drawing
        The one that was drawn last.
    """

    def __init__(self, lab: Declared) -> None:
        self.lab = lab
        self._ghosts: list[tuple[int, dict[str, Any]]] = []
        self._drawings: dict[Hashable, Drawing] = {}
        self.drawing = Drawing(lab)
        self.forget()

    def forget(self) -> None:
        """Throw away what was built: the next picture starts from an empty figure."""
        self._drawings.clear()

    def png(self, state: Any, structure: Hashable, presentation: bool, ratio: float = 1) -> bytes:
        """Return the picture of ``state``, with ``ratio`` dots to the pixel of the page."""
        with IN_TURN:
            return self._png(state, structure, presentation, ratio)

    def _png(self, state: Any, structure: Hashable, presentation: bool, ratio: float) -> bytes:
        needed = (structure, presentation, ratio)
        settings = rc_parameters(presentation)
        drawing = self._drawings.pop(needed, None)
        if drawing is None:
            with matplotlib.rc_context(settings):
                drawing = self._built(state, ratio)
        self.drawing = drawing
        self.lab.draw(state)
        if drawing.figure.stale:
            # Ticks are made while drawing, so this too needs the settings.
            with matplotlib.rc_context(settings):
                drawing.agg.draw()
            drawing.background = drawing.agg.copy_from_bbox(drawing.figure.bbox)
        else:
            drawing.agg.restore_region(drawing.background)
        renderer = drawing.agg.get_renderer()
        for artist in drawing.moving:
            artist.draw(renderer)
        # Not before: whoever is interrupted while drawing starts anew from an empty figure.
        self._drawings[needed] = drawing
        if len(self._drawings) > DRAWINGS_KEPT:
            del self._drawings[next(iter(self._drawings))]
        # Not print_png, which would first draw the whole figure again.
        return encode_png(np.asarray(drawing.agg.buffer_rgba())[..., :3])

    def _built(self, state: Any, ratio: float) -> Drawing:
        self.drawing = drawing = Drawing(self.lab, ratio)
        drawing.panels = self.lab.Picture(drawing.figure, state)
        drawing.moving = sorted(drawing.panels.moving, key=Artist.get_zorder)
        self._draw_ghosts()
        for artist in drawing.moving:
            # Matplotlib leaves animated artists out when it draws the figure.
            artist.set_animated(True)
        return drawing

    def save(self, path: Path, kind: str) -> None:
        """Write the present picture to a file."""
        # What is saved shows animated artists, too; but a `Ruler` stands in for its axis, in the
        # room that the layout has left for it.
        self.forget()  # the next picture is built anew, however this one ends
        self.drawing.figure.set_layout_engine("none")
        for axes in self.drawing.figure.axes:
            for axis in (axes.xaxis, axes.yaxis):
                if axis.get_animated():
                    axis.set_visible(False)
        with IN_TURN:
            self.drawing.figure.savefig(path, format=kind, facecolor="auto")  # and not the user's

    def keep(self) -> None:
        """Leave the present curves as pale lines, in the units of their axes, until `let_go`."""
        axes = self.drawing.figure.axes
        self._ghosts = [
            (axes.index(line.axes), _pale(line))
            for line in self.drawing.moving
            if isinstance(line, Line2D) and line.axes in axes and _is_a_curve(line)
        ]
        self.forget()

    def let_go(self) -> None:
        """Take the pale lines away."""
        self._ghosts = []
        self.forget()

    def _draw_ghosts(self) -> None:
        axes = self.drawing.figure.axes
        for place, look in self._ghosts:
            if place < len(axes):
                line = Line2D(**look)
                line.set_in_layout(False)
                axes[place].add_artist(line)


def _is_a_curve(line: Line2D) -> bool:
    return line.get_visible() and line.get_transform() == line.axes.transData


def _pale(line: Line2D) -> dict[str, Any]:
    look = ("color", "linestyle", "linewidth", "marker", "markersize", "markevery")
    copied = {name: copy(getattr(line, f"get_{name}")()) for name in ("xdata", "ydata", *look)}
    opaque = 1.0 if line.get_alpha() is None else line.get_alpha()
    return copied | {"alpha": PALE * opaque, "zorder": 1.5}


def encode_png(pixels: np.ndarray) -> bytes:
    """Write a picture as PNG: every row unfiltered, compressed at the quickest level.

    Twice as fast as Pillow, as nobody looks for the best filter of each row, and faster again where
    a second core compresses the upper half.

    Parameters
    ----------
    pixels : (height, width, 3) array of uint8
        Red, green and blue.

    Returns
    -------
    bytes
    """
    height, width, _ = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, EIGHT_BITS, RED_GREEN_BLUE, 0, 0, 0)
    return b"".join(
        [
            PNG_SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", _compressed(pixels)),
            _chunk(b"IEND", b""),
        ]
    )


def _compressed(pixels: np.ndarray) -> bytes:
    """The rows as one stream of zlib, whose two halves are made at the same time."""
    middle = len(pixels) // 2
    # A thread of its own each time, 0.1 ms: one that is kept would be missing after a fork.
    with ThreadPoolExecutor(1) as other_core:
        above = other_core.submit(_half, pixels[:middle], zlib.Z_SYNC_FLUSH)
        lower_rows, lower = _half(pixels[middle:], zlib.Z_FINISH)
    upper_rows, upper = above.result()
    checksum = zlib.adler32(lower_rows, zlib.adler32(upper_rows))
    return ZLIB_QUICKEST + upper + lower + struct.pack(">I", checksum)


def _half(pixels: np.ndarray, end: int) -> tuple[np.ndarray, bytes]:
    """Rows of a picture, and what they are compressed to."""
    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + width * channels), dtype=np.uint8)  # each begins with filter 0
    for channel in range(channels):  # a quarter of the time that all at once would take
        rows[:, 1 + channel :: channels] = pixels[..., channel]
    stream = zlib.compressobj(level=1, wbits=-zlib.MAX_WBITS)
    return rows, stream.compress(rows) + stream.flush(end)


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
