"""The picture of a belief over a die: a cloud of dice in a triangle, and one bar of two parts."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from eubrl_edu.labs.uncertainty.scene import FACES, Split, State, draw_worlds, log_density
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.names import in_two_digits
from eubrl_edu.plotting.picture import Moving, Picture, new_dot, new_line
from eubrl_edu.plotting.style import BLACK, CHANCE, DOUBT, TRUTH
from eubrl_edu.plotting.turns import drawing

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
MOST = {"entropy": np.log(len(FACES)), "variance": 1 - 1 / len(FACES)}
UNITS = {"entropy": "nats", "variance": "variance"}
DOUBT_BAR = {"facecolor": DOUBT, "hatch": "..", "edgecolor": "white"}
DICE_BAR = {"facecolor": CHANCE, "edgecolor": "white"}
DICE_WORDS, DOUBT_WORDS = "#4D4D4D", "#8C3B68"  # darker: words need more contrast than areas
LINE = 0.1  # from one line of words to the next, as a share of the longest bar
DARKEST = 14.0  # density
BAR = (0.0, 0.4)  # from left to right, of an axis that ends at 1
LEVEL = 0.04  # how far a mark at the end of each part sticks out, for *Keep* to leave behind


class UncertaintyPicture(Moving):
    """The triangle of all dice at the left, *total = dice + doubt* at the right."""

    def __init__(self, figure: Figure, state: State) -> None:
        figure.set_layout_engine("none")
        self._build_triangle(figure.add_axes((0.01, 0.02, 0.44, 0.85)))
        self._build_bar(figure.add_axes((0.55, 0.06, 0.44, 0.81)), state.params.measure)

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        self.worlds.set_data(*places(state.worlds).T)
        self.mean.set_data(*places(state.mean[None]).T)
        self.truth.set_data(*places(state.truth[None]).T)
        split = state.split
        self.dice.set_height(split.dice)
        self.doubt.set(y=split.dice, height=split.doubt)
        for level, height in zip(self.levels, (split.dice, split.total), strict=True):
            level.set_data((BAR[1], BAR[1] + LEVEL), (height, height))
        x = BAR[1] + 0.05
        heights = _apart([split.dice / 2, split.dice + split.doubt / 2, split.total], self.most)
        self.words.move([(x, height) for height in heights])
        total, dice, doubt = sizes_in_words(split)
        self.words.write(
            [f"+ dice {dice}", f"= doubt {doubt}", f"total {total}"],
            [DICE_WORDS, DOUBT_WORDS, BLACK],
        )

    def _build_triangle(self, axes: Axes) -> None:
        triangle(axes)
        axes.set_title("Each dot is a die that the belief allows")
        self.worlds = new_line(axes, "o", color=DOUBT, alpha=0.45, markersize=4.5)
        self.truth = new_dot(axes, TRUTH, "X", markersize=13, label="truth")
        self.mean = new_dot(axes, BLACK, "D", markersize=8, label="mean, $P_b$")
        axes.legend(handles=[self.truth, self.mean], loc="upper left", borderpad=0)

    def _build_bar(self, axes: Axes, measure: str) -> None:
        most = self.most = MOST[measure]
        axes.set(xlim=(0, 1), ylim=(-0.04 * most, 1.12 * most), xticks=[])
        axes.set(title="What is uncertain about the next throw", ylabel=UNITS[measure])
        axes.spines["bottom"].set_visible(False)
        left, right = BAR
        bar = {"xy": (left, 0), "width": right - left, "height": 0}
        self.dice = axes.add_patch(Rectangle(**bar, **DICE_BAR))
        self.doubt = axes.add_patch(Rectangle(**bar, **DOUBT_BAR))
        self.levels = [new_line(axes, "-", color=c) for c in (DICE_WORDS, DOUBT_WORDS)]
        self.words = Lettering(axes, np.zeros((3, 2)), align="left")


def sizes_in_words(split: Split) -> list[str]:
    """Total, dice and doubt, in three places or, where these are too few, in two digits.

    In three places the larger part is what is left of the total, so that they add up as written.
    """
    sizes = split.total, split.dice, split.doubt
    if split.total < 0.01:
        return [in_two_digits(size) for size in sizes]
    total, dice, doubt = (round(size, 3) for size in sizes)
    dice, doubt = (total - doubt, doubt) if dice > doubt else (dice, total - dice)
    return [f"{size:.3f}" for size in (total, dice, doubt)]


def _apart(heights: Sequence[float], most: float) -> np.ndarray:
    """Heights, from the lowest, that keep a line's distance and stay beside the longest bar."""
    apart = np.array(heights)
    for place in range(1, len(apart)):
        apart[place] = max(apart[place], apart[place - 1] + LINE * most)
    apart[-1] = min(apart[-1], 1.03 * most)
    for place in reversed(range(len(apart) - 1)):
        apart[place] = min(apart[place], apart[place + 1] - LINE * most)
    return apart


def places(dice: np.ndarray) -> np.ndarray:
    """Where each die is in the triangle: the mean of the corners, weighted by its probabilities."""
    return dice @ CORNERS


def triangle(axes: Axes) -> None:
    """Draw the triangle of all dice with three faces, and name its corners."""
    axes.set(xlim=(-0.1, 1.1), ylim=(-0.08, 1.0), aspect="equal")
    axes.set_axis_off()
    axes.add_patch(Polygon(CORNERS, fill=False, edgecolor="#333333", linewidth=1.2))
    for name, (x, y), where in zip(FACES, CORNERS, ("right", "left", "center"), strict=True):
        shift = {"right": (-0.03, -0.02), "left": (0.03, -0.02), "center": (0, 0.03)}[where]
        axes.text(x + shift[0], y + shift[1], name, ha=where, weight="bold")


def dirichlets(beliefs: Sequence[Sequence[float]]) -> Picture:
    """Show Dirichlet distributions side by side: density as shade, and 200 draws from each.

    Parameters
    ----------
    beliefs : sequence of three positive numbers each
        Parameters of the Dirichlets.
    """
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 201), np.linspace(0, np.sqrt(0.75), 173)), -1)
    third = grid[..., 1] / CORNERS[2, 1]
    second = grid[..., 0] - third / 2
    dice = np.stack([1 - second - third, second, third], -1)
    inside = (dice > 0.002).all(-1)
    names = [f"Dir({', '.join(f'{number:g}' for number in belief)})" for belief in beliefs]
    with drawing():
        figure = Figure((2.6 * len(beliefs), 2.7), layout="constrained")
        panels = figure.subplots(1, len(beliefs))
        for axes, belief, name in zip(panels, beliefs, names, strict=True):
            parameters = np.array(belief, dtype=float)
            density = np.exp(log_density(parameters, np.where(inside[..., None], dice, 1 / 3)))
            density[~inside] = np.nan
            triangle(axes)
            shades = {"cmap": "Purples", "vmin": 0, "vmax": DARKEST, "rasterized": True}
            axes.pcolormesh(*np.moveaxis(grid, -1, 0), density, **shades)
            draws = places(draw_worlds(parameters, np.random.default_rng(0)))
            axes.plot(*draws.T, "o", color=BLACK, alpha=0.5, markersize=2)
            axes.set_title(name)
    words = f"Density and 200 draws of {'; '.join(names)}, in the triangle of all dice."
    return Picture(figure, words)
