"""The five panels of exploration: the world, P_U, Q and policy, rewards, return."""

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from eubrl_edu.environments import DeepSea, Loop
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments.records import AGENTS
from eubrl_edu.labs.exploration.scene import ExploredRun, State
from eubrl_edu.plotting.lettering import SMALLEST_LETTERS, Lettering, short
from eubrl_edu.plotting.names import as_written, name_of_action, shown_action_names, shown_actions
from eubrl_edu.plotting.pair_maps import draw_pair_map
from eubrl_edu.plotting.picture import Moving, new_line, set_limits
from eubrl_edu.plotting.ruler import Ruler
from eubrl_edu.plotting.style import (
    BELIEVED,
    BLACK,
    BLUE,
    DOUBT,
    GUIDED,
    SEQUENTIAL_MAP,
    WITH_BONUS,
)
from eubrl_edu.plotting.world import Moment
from eubrl_edu.plotting.worlds import draw_world

VALUE_MAP = "cividis"
TIME = "time (steps)"
BAR_SPACE = 190.0  # points for the bars of all actions
HEADLINE_HEIGHT = 0.006  # of the picture's, for each point of the letters'


def panels_for(figure: Figure, env: TabularEnvironment) -> dict[str, Axes]:
    """Place the five panels as suits the world's shape."""
    if isinstance(env, DeepSea):
        rows = [["world", "uncertainty", "value"], ["rewards", "rewards", "return"]]
        widths, heights = [1, 1.08, 1.08], [1.45, 1]
    elif _is_tall(env):
        rows = [["world", "uncertainty"], ["world", "value"], ["rewards", "return"]]
        widths, heights = [1, 1.25], [1, 1, 1.6]
    else:
        rows = [
            ["world", "rewards"],
            ["uncertainty", "rewards"],
            ["uncertainty", "return"],
            ["value", "return"],
        ]
        widths, heights = [1.45, 1], [1.25, 0.45, 0.45, 1.25]
    rows = [["headline"] * len(widths), *rows]
    heights = [HEADLINE_HEIGHT * rcParams["font.size"] * sum(heights), *heights]
    return figure.subplot_mosaic(rows, width_ratios=widths, height_ratios=heights)


def _is_tall(env: TabularEnvironment) -> bool:
    """Whether the world needs more height than a line or two loops."""
    if isinstance(env, Loop):
        return env.size > 2
    return np.ptp(env.state_positions[:, 1]) > 0


class ExplorationPicture(Moving):
    """All panels in one figure.

    Later states may be of other runs of the same agent in the same world.
    """

    def __init__(self, figure: Figure, state: State):
        run = state.run
        axes = panels_for(figure, run.env)
        axes["headline"].axis("off")
        self.headline = Lettering(axes["headline"], [(0.0, 0.5)], align="left", size=1.2)
        self.world = draw_world(axes["world"], run.env)
        self.uncertainty = UncertaintyPanel(axes["uncertainty"], state)
        self.value = ValuePanel(axes["value"], run)
        self.rewards = RewardPanel(axes["rewards"], state)
        self.returns = ReturnPanel(axes["return"])
        self.panels = [self.uncertainty, self.value, self.rewards, self.returns]

    def draw(self, state: State) -> None:
        """Put everything where ``state`` wants it."""
        env = state.run.env
        words = [
            state.run.agent_name,
            f"time {state.time} of {len(state.run)}",
            f"state: {env.state_names[state.state]}",
        ]
        if state.action is not None:
            words.append(f"action: {name_of_action(env, state.state, state.action)}")
        self.headline.write(["   |   ".join(map(as_written, words))])
        visits = state.visits.sum(axis=1)
        self.world.draw(Moment(state.state, state.action, visits, len(state.run)))
        for panel in self.panels:
            panel.draw(state)


class UncertaintyPanel(Moving):
    """P_U of each pair; a few words instead for an agent that has none."""

    def __init__(self, axes: Axes, state: State):
        self.map = None
        if state.guided is None:
            axes.axis("off")
            name = state.run.agent_name
            instead = AGENTS[name].instead_of_p_u if name in AGENTS else ""
            words = f"{as_written(name)} has no $P_U$.\n{instead}"
            axes.text(0.5, 0.5, words, ha="center", va="center", transform=axes.transAxes)
            return
        self.map = draw_pair_map(axes, state.run.env, SEQUENTIAL_MAP)
        self.map.colour_bar([0, 0.5, 1], ["0", "½", "1"])
        axes.set_title(f"$P_U${self.map.reading}", loc="left", pad=12)

    def draw(self, state: State) -> None:
        """Put everything where ``state`` wants it."""
        if self.map:
            probability = state.guided.probability_of_uncertainty
            self.map.paint(probability, 0.0, 1.0)
            self.map.write(probability)
            self.map.mark(np.zeros_like(state.greedy))
            self.map.outline_state(state.state)


class ValuePanel(Moving):
    """Q of each pair on the scale of the moment, the greedy actions marked."""

    def __init__(self, axes: Axes, run: ExploredRun):
        self.map = draw_pair_map(axes, run.env, VALUE_MAP)
        # The numbers at its ends change; what never changes keeps the room for them.
        self.map.colour_bar([0, 1], ["−0.000"] * 2)
        self.map.bar.ax.tick_params(length=0, labelcolor="none")
        axes.set_title(f"$Q$ and greedy policy ({self.map.marks_look_like})", loc="left", pad=12)
        bar = self.map.bar.ax
        self.ends = Lettering(bar, [(1.3, 1.0), (1.3, 0.0)], align="left", size=0.9)

    def draw(self, state: State) -> None:
        """Put everything where ``state`` wants it."""
        q = state.plan.q
        low, high = self.map.range_of(q)
        self.map.paint(q, low, high)
        self.map.write(q)
        self.map.mark(state.greedy)
        self.map.outline_state(state.state)
        shown = q[self.map.shown]
        self.ends.write(
            [
                f"{'≥ ' if shown.max() > high else ''}{short(high)}",
                f"{'≤ ' if shown.min() < low else ''}{short(low)}",
            ]
        )


class RewardPanel(Moving):
    """The rewards of the actions in the present state: bars that fill the width there is."""

    def __init__(self, axes: Axes, state: State):
        self.env = state.run.env
        kinds = reward_kinds(state)
        axes.set_title("Rewards in this state", loc="left")
        self.bars = []
        if not kinds:
            axes.axis("off")
            words = f"{as_written(state.run.agent_name)} has no model of the rewards."
            axes.text(0.5, 0.5, words, ha="center", va="center", transform=axes.transAxes)
            return
        self.thickness = 0.8 / len(kinds)
        self.bars = [
            axes.add_collection(
                PolyCollection([], fc=colour, ec="white", hatch=hatch, label=label), autolim=False
            )
            for label, colour, hatch in kinds
        ]
        actions = np.arange(self.env.n_actions)
        self.middles = actions - 0.4 + (np.arange(len(kinds))[:, None] + 0.5) * self.thickness
        points = BAR_SPACE * self.thickness / len(actions)
        size = min(1.0, points / rcParams["font.size"])
        self.numbers = Lettering(axes, np.zeros((self.middles.size, 2)), size=size)
        self.numbers.set_visible(points >= SMALLEST_LETTERS)
        self.zero = axes.axvline(0, color=BLACK, linewidth=1.5)
        for_a_number = 0.05 + 0.02 * rcParams["font.size"]
        axes.set(xlim=(-for_a_number, 1.2), ylim=(self.env.n_actions - 0.5, -0.5), xticks=[])
        names = map(as_written, shown_action_names(self.env))
        axes.set_yticks(range(self.env.n_actions), names)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        dense = {"handlelength": 1.5, "columnspacing": 1.0, "handletextpad": 0.4}
        axes.legend(loc="upper center", bbox_to_anchor=(0.45, 0.0), ncols=len(kinds), **dense)

    def draw(self, state: State) -> None:
        """Put everything where ``state`` wants it."""
        if not self.bars:
            return
        here, actions = state.state, shown_actions(self.env, state.state)
        tables = [state.plan.mean_reward, state.plan.model.rewards]
        if state.guided is not None:
            tables.insert(1, state.guided.epistemic_uncertainty)
        values = np.array([table[here, actions] for table in tables[: len(self.bars)]])
        least, most = state.run.reward_range
        low, high = min(least, values.min()), max(most, values.max())
        places = (values - low) / ((high - low) or 1.0)
        zero = -low / ((high - low) or 1.0)
        self.zero.set_xdata([zero, zero])
        half = self.thickness / 2
        for bars, ends, middles in zip(self.bars, places, self.middles, strict=True):
            bars.set_verts(
                [
                    [(zero, y - half), (end, y - half), (end, y + half), (zero, y + half)]
                    for end, y in zip(ends, middles, strict=True)
                ]
            )
        right = (places >= zero).ravel()
        beside = places.ravel() + np.where(right, 0.015, -0.015)
        self.numbers.set_offsets(np.column_stack([beside, self.middles.ravel()]))
        self.numbers.align_each(["left" if is_right else "right" for is_right in right])
        self.numbers.write([short(value) for value in values.ravel()])


def reward_kinds(state: State) -> list[tuple[str, str, str]]:
    """The rewards that this agent has: label, colour and hatch of each."""
    if state.modelled is None:
        return []
    if state.guided is not None:
        return [
            ("$r_b$, mean", BELIEVED, ""),
            ("$E_b$, uncertainty", DOUBT, "//"),
            ("guided", GUIDED, ".."),
        ]
    planned = [("reward it plans with", BELIEVED, "")]
    if state.plan.model.rewards is state.plan.mean_reward:
        return planned
    return [("$r_b$, mean", BELIEVED, ""), ("reward it plans with", WITH_BONUS, "..")]


class ReturnPanel(Moving):
    """The sum of rewards so far, and what an agent that knew the world would have earned."""

    def __init__(self, axes: Axes):
        self.axes = axes
        axes.set_title("Return so far", loc="left")
        axes.set_xlabel(TIME)  # not drawn, but it keeps the room for what the ruler writes
        self.rulers = Ruler(axes.xaxis), Ruler(axes.yaxis)
        self.best = new_line(axes, "-", color=BLACK, lw=1.2, label="optimum")
        self.own = new_line(axes, "-", color=BLUE, lw=4, label="this agent")
        self.now = new_line(axes, "o", color=BLUE, markersize=9)
        self.corner = "upper left"
        self.legend = axes.legend(loc=self.corner, handlelength=1.2, borderpad=0)

    def draw(self, state: State) -> None:
        """Put everything where ``state`` wants it."""
        own, best = state.run.returns, state.run.optimum.returns
        self.fit(own, best)
        for ruler, name in zip(self.rulers, (TIME, ""), strict=True):
            ruler.draw(name)
        self.best.set_data(np.arange(len(best)), best)
        self.own.set_data(np.arange(state.time + 1), own[: state.time + 1])
        self.now.set_data([state.time], [own[state.time]])

    def fit(self, own: np.ndarray, best: np.ndarray) -> None:
        """Make room for the whole run, in coarse steps, so that runs can be compared."""
        unit = 0.1 * (np.ptp(best) or 1.0)
        low = unit * np.floor(min(own.min(), best.min()) / unit)
        high = unit * np.ceil(max(own.max(), best.max()) / unit)
        x, y = (0, 1.02 * (len(best) - 1)), (low - 0.5 * unit, high + 0.5 * unit)
        set_limits(self.axes, x, y)
        # Every run starts at 0, at the left: the corner further from there is free.
        corner = "upper left" if high >= -low else "lower left"
        if corner != self.corner:  # wherever it stands, to put it there is to draw all anew
            self.corner = corner
            self.legend.set_loc(corner)
