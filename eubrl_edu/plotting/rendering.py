"""A world as a picture, with the agent where it is: what ``env.render()`` and notebooks show."""

import io

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.plotting.turns import drawing
from eubrl_edu.plotting.world import Moment
from eubrl_edu.plotting.worlds import Line, draw_world

INCHES = 6.0, 4.0
INCHES_OF_A_LINE = 6.0, 1.0
DOTS_PER_INCH = 100


def pixels_of(env: TabularEnvironment, state: int) -> np.ndarray:
    """Return the world with an agent in ``state``: (height, width, 3) bytes of red, green, blue."""
    with drawing():
        figure = Figure(INCHES, DOTS_PER_INCH, layout="constrained")
        canvas = FigureCanvasAgg(figure)
        world = draw_world(figure.subplots(), env)
        world.draw(Moment(state, None, np.zeros(env.n_states, dtype=int), steps=1))
        if isinstance(world, Line):
            _without_bars(world)
        canvas.draw()
    return np.array(canvas.buffer_rgba())[..., :3]


def png_of(env: TabularEnvironment, state: int) -> bytes:
    """Return the same as a PNG file."""
    buffer = io.BytesIO()
    Image.fromarray(pixels_of(env, state)).save(buffer, "png")
    return buffer.getvalue()


def _without_bars(line: Line) -> None:
    """Leave the states: nobody has counted visits here, so their bars would be empty."""
    line.axes.figure.set_size_inches(INCHES_OF_A_LINE)
    line.axes.set(ylim=(-0.27 * line.top, 0.1 * line.top), yticks=[], ylabel="")
    line.axes.spines["left"].set_visible(False)
    if line.counts:
        line.counts.set_visible(False)
