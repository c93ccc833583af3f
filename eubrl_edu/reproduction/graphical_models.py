"""The two graphical models of control as inference, drawn: without and with uncertainty U."""

from dataclasses import dataclass

from matplotlib.figure import Figure

from eubrl_edu.plotting.style import SKY_BLUE, YELLOW
from eubrl_edu.plotting.turns import drawing


@dataclass(frozen=True)
class Node:
    """A random variable: its label, its place, and whether its value is given."""

    label: str
    x: float
    y: float
    observed: bool = False
    colour: str = "white"


@dataclass(frozen=True)
class GraphicalModel:
    """A Bayesian network over one step: random variables, and who depends on whom.

    Attributes
    ----------
    nodes : dict of str to Node
        By name.
    edges : tuple of (str, str)
        From a variable to one whose distribution depends on it.
    """

    nodes: dict[str, Node]
    edges: tuple[tuple[str, str], ...]

    def parents(self, name: str) -> set[str]:
        """The variables that the distribution of ``name`` depends on."""
        return {parent for parent, child in self.edges if child == name}


def standard_model() -> GraphicalModel:
    """Standard RL: P(O_t = 1 | s_t, a_t) ∝ exp(r(s_t, a_t)) (the paper, figure on PGMs, left).

    Learning looks for the policy under which every step is optimal, so O_t is observed as 1.
    """
    return GraphicalModel(
        nodes={
            "state": Node(r"$s_t$", 0.0, 1.0),
            "action": Node(r"$a_t$", 0.0, 0.0),
            "next state": Node(r"$s_{t+1}$", 2.4, 1.0),
            "optimality": Node(r"$O_t$", 1.2, 0.0, observed=True, colour=SKY_BLUE),
        },
        edges=(
            ("state", "action"),
            ("state", "next state"),
            ("action", "next state"),
            ("state", "optimality"),
            ("action", "optimality"),
        ),
    )


def guided_model() -> GraphicalModel:
    """EUBRL: whether the agent is uncertain, U_t, decides what optimal means (same figure, right).

    P(U_t = 1 | s_t, a_t) = P_U(s_t, a_t); U_t is hidden, so it is summed out.
    """
    standard = standard_model()
    return GraphicalModel(
        nodes=standard.nodes | {"uncertainty": Node(r"$U_t$", 1.2, -1.1, colour=YELLOW)},
        edges=(
            *standard.edges,
            ("state", "uncertainty"),
            ("action", "uncertainty"),
            ("uncertainty", "optimality"),
        ),
    )


def draw_graphical_model(model: GraphicalModel) -> Figure:
    """Draw a model: circles for variables, a second rim for observed ones, arrows for dependence.

    Parameters
    ----------
    model : GraphicalModel
        `standard_model` or `guided_model`.

    Returns
    -------
    matplotlib.figure.Figure
        Free of pyplot, so that it shows once only.
    """
    # Both load pyplot, which no other picture needs.
    import daft
    import matplotlib.pyplot as plt

    with drawing():
        picture = daft.PGM(grid_unit=2.4, node_unit=1.3, observed_style="outer", dpi=110)
        for name, node in model.nodes.items():
            picture.add_node(
                name,
                node.label,
                node.x,
                node.y,
                observed=node.observed,
                plot_params={"facecolor": node.colour},
            )
        for parent, child in model.edges:
            picture.add_edge(parent, child)
        picture.render()
        figure = picture.figure
        plt.close(figure)  # pyplot forgets it; the figure itself stays
    return figure
