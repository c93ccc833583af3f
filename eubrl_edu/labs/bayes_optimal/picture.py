"""The picture of optimal exploration: the tree of beliefs, and what each agent loses."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, NullFormatter

from eubrl_edu.labs.bayes_optimal.scene import EITHER, ETAS, MOST_LEVELS, RULES, Node, State
from eubrl_edu.plotting.grid import axes_grid, size_in_letters
from eubrl_edu.plotting.legend import AGENT_STYLES
from eubrl_edu.plotting.lettering import Lettering, title_of
from eubrl_edu.plotting.picture import Moving, legend_above, new_dot, new_line, set_limits
from eubrl_edu.plotting.ruler import Ruler
from eubrl_edu.plotting.style import BLACK, GREY, ORANGE, SKY_BLUE

LOOKS = {
    "first arm": {"marker": "o", "color": SKY_BLUE},
    "second arm": {"marker": "s", "color": ORANGE},
    "either": {"marker": "D", "color": "white"},
}
SIZES = (19, 19, 19, 16, 11, 7)  # of a node, where the last level is the 0th, 1st, ...
LAST_WITH_NUMBERS = 3
SMALLEST_RING = 0.005
LOSSES = np.outer([0.1, 1, 10], [1.0, 2.0, 3.0, 5.0]).ravel()


class BayesOptimalPicture(Moving):
    """The tree at the left; at the right the losses, and below them EUBRL's over η."""

    def __init__(self, figure: Figure, state: State) -> None:
        width, _ = size_in_letters(figure)
        tree = 0.57 * width
        ((tree_axes,),) = axes_grid(figure, [1], [], margins=(0.8, width - tree, 3.5, 3))
        (losses,), (etas,) = axes_grid(figure, [5, 4], [3.8], margins=(tree + 6.6, 2.6, 4, 3.4))
        self._build_tree(tree_axes)
        self._build_losses(losses)
        self._build_etas(etas)

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        self._draw_tree(state)
        most = max(state.unavoidable + state.avoidable(rule) for rule in RULES)
        limit = float(LOSSES[np.searchsorted(LOSSES, 1.15 * most)])
        set_limits(self.loss_axes, (0, limit))
        self.loss_ruler.draw()
        self.price.set_width(state.unavoidable)
        ends = []
        for place, rule in enumerate(RULES):
            self.bars[rule].set(x=state.unavoidable, width=state.avoidable(rule))
            ends.append((state.unavoidable + state.avoidable(rule) + 0.02 * limit, place + 1))
        self.lost.move([(state.unavoidable + 0.02 * limit, 0), *ends])
        lost = [0.0, *(state.avoidable(rule) for rule in RULES)]
        self.lost.write([f"{state.unavoidable + each:.2f}" for each in lost])

        losses = state.best - state.earned_by_eta
        most = float(LOSSES[np.searchsorted(LOSSES, 1.05 * losses.max())])
        set_limits(self.eta_axes, y=(0, most))
        self.eta_ruler.draw()
        self.by_eta.set_data(ETAS, losses)
        for rule, line in self.levels.items():
            line.set_ydata([state.avoidable(rule)] * 2)
        self.here.set_data([state.params.eta], [state.avoidable("EUBRL")])

    # ---- the tree ------------------------------------------------------------------------

    def _build_tree(self, axes: Axes) -> None:
        axes.set(xlim=(-0.35, MOST_LEVELS + 0.35), ylim=(0, 1))
        axes.set(xticks=range(MOST_LEVELS + 1), xlabel="tries done")
        axes.yaxis.set_visible(False)
        axes.spines["left"].set_visible(False)
        axes.tick_params(length=0)
        self.branches = axes.add_collection(LineCollection([], colors=GREY, zorder=1))
        self.outcomes = Lettering(axes, [], size=0.85)
        ring = {"linestyle": "", "markerfacecolor": "none", "markeredgecolor": BLACK, "zorder": 4}
        ring["markeredgewidth"] = 2.5
        self.ring = new_line(axes, "o", **ring)
        edge = {"linestyle": "", "markeredgecolor": BLACK, "zorder": 3}
        self.nodes = {name: new_line(axes, **look | edge) for name, look in LOOKS.items()}
        self.numbers = Lettering(axes, [], align="left", size=0.85)
        self.tree_title = title_of(axes, lines_above=1.5)
        sample = new_line(axes, "o", **ring, markersize=11, label="does worse here")
        handles = [
            new_line(axes, **look | edge, markersize=9, label=name) for name, look in LOOKS.items()
        ]
        legend_above(axes, [*handles, sample], 4, "left", columnspacing=1.2, handletextpad=0.2)

    def _draw_tree(self, state: State) -> None:
        levels, last = state.levels, len(state.levels) - 1
        places = [
            np.column_stack([np.full(2**t, t), 1 - (np.arange(2**t) + 0.5) / 2**t])
            for t in range(len(levels))
        ]
        ends = [
            (places[t][place // 2], places[t + 1][place], node.reached)
            for t in range(last)
            for place, node in enumerate(levels[t + 1])
        ]
        self.branches.set_segments([(start, end) for start, end, _ in ends])
        self.branches.set_linewidths([0.6 + 5 * reached for *_, reached in ends])
        # Further right the branches are close, and go on as these do.
        named = ends[:6] if last <= LAST_WITH_NUMBERS else []
        self.outcomes.move([0.3 * start + 0.7 * end + (0, 0.025) for start, end, _ in named])
        self.outcomes.write([str(1 - number % 2) for number in range(len(named))])

        spots = np.concatenate(places)
        nodes = [node for level in levels for node in level]
        kinds = np.array([_kind(node) for node in nodes])
        for name, artist in self.nodes.items():
            artist.set(data=spots[kinds == name].T, markersize=SIZES[last])
        wrong = np.array([node.disagrees > SMALLEST_RING for node in nodes])
        self.ring.set(data=spots[wrong].T, markersize=SIZES[last] + 6)
        told = nodes if last <= LAST_WITH_NUMBERS else []
        self.numbers.move(spots[: len(told)] + (0.22, 0))
        self.numbers.write([f"{node.chances[0]:.2f} | {node.chances[1]:.2f}" for node in told])
        self.tree_title.write(
            [f"What the best explorer tries, and where {state.params.against} does worse"]
        )

    # ---- the losses ----------------------------------------------------------------------

    def _build_losses(self, axes: Axes) -> None:
        self.loss_axes = axes
        self.loss_ruler = Ruler(axes.xaxis)
        axes.set(ylim=(3.6, -0.6))
        axes.set_yticks(range(4), ["the best", *RULES])
        axes.tick_params(axis="y", length=0)
        axes.set_title("Short of the oracle by", loc="left")
        price = {"facecolor": "#DDDDDD", "edgecolor": GREY, "hatch": "//"}
        self.price = axes.add_patch(Rectangle((0, -0.5), 0, 4, **price, linewidth=0))
        self.bars = {
            rule: axes.add_patch(
                Rectangle((0, place + 0.65), 0, 0.7, facecolor=AGENT_STYLES[rule]["color"])
            )
            for place, rule in enumerate(RULES)
        }
        self.lost = Lettering(axes, [], align="left")

    def _build_etas(self, axes: Axes) -> None:
        self.eta_axes = axes
        self.eta_ruler = Ruler(axes.yaxis)
        axes.set(xscale="log", xlim=(ETAS[0], ETAS[-1]), xlabel="η of EUBRL")
        axes.xaxis.set_major_locator(FixedLocator([0.1, 1, 10]))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_title("Avoidable shortfall", loc="left")
        styles = {
            rule: {key: AGENT_STYLES[rule][key] for key in ("color", "linestyle")} for rule in RULES
        }
        self.by_eta = new_line(axes, **styles["EUBRL"])
        self.levels = {rule: axes.axhline(0, **styles[rule]) for rule in RULES if rule != "EUBRL"}
        look = AGENT_STYLES["EUBRL"]
        self.here = new_dot(axes, look["color"], look["marker"], clip_on=False)


def _kind(node: Node) -> str:
    return (
        "either" if node.share == EITHER else "first arm" if node.share > EITHER else "second arm"
    )
