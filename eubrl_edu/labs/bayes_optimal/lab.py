"""BayesOptimalLab: the best possible way to explore two arms, and what the agents lose to it."""

from eubrl_edu.labs.bayes_optimal import scene
from eubrl_edu.labs.bayes_optimal.picture import SMALLEST_RING, BayesOptimalPicture
from eubrl_edu.labs.bayes_optimal.scene import RULES, Params, State
from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.readout import table
from eubrl_edu.plotting.names import counted


class BayesOptimalLab(Lab):
    """The tree of beliefs of a two-armed bandit, solved exactly.

    Either arm pays 1 or 0, with a chance drawn from a Beta distribution. At each belief the best
    explorer takes the arm that leads to more in all tries that are left; so it is optimal, on
    average over the worlds. What the agents earn is computed in the same tree, without any
    simulation.
    """

    scene = scene
    Picture = BayesOptimalPicture
    figure_inches = (10.0, 4.6)
    situations = {
        "Twenty tries": ("Two arms of which nothing is known", Params()),
        "Two tries": ("Small enough to check by hand", Params(tries=2, levels=1)),
        "Doubt deters": ("EUBRL with an η that is too small", Params(eta=0.3, levels=3)),
        "PSRL draws": ("Where PSRL may do worse than the best explorer", Params(against="PSRL")),
        "A wrong prior": (
            "Poor arms, and agents that find all chances equally plausible",
            Params(worlds="poor arms"),
        ),
    }
    rows = (
        ("Tree", ("tries", "levels")),
        ("Agents", ("eta", "against")),
        ("Arms", ("prior", "worlds")),
    )
    question = ("tries", "levels", "eta", "against")

    def describe(self, state: State) -> str:
        params = state.params
        lines = [
            f"Tries: {params.tries}; arms: {params.worlds}; the agents believe: {params.prior}."
            f" An agent that knew both arms would earn {state.oracle:.2f}; the best explorer earns"
            f" {state.best:.2f}: not knowing costs {state.unavoidable:.2f}.",
            table(
                [
                    {
                        "agent": f"{rule} (η = {params.eta:.3g})" if rule == "EUBRL" else rule,
                        "earns": f"{state.earned[rule]:.2f}",
                        "short of the oracle": f"{state.oracle - state.earned[rule]:.2f}",
                        "avoidable": f"{max(state.avoidable(rule), 0.0):.3f}",
                    }
                    for rule in RULES
                ]
            ),
        ]
        # With two tries, the present belief still tells the largest doubt.
        if params.tries > 2 and scene.doubt_can_grow(scene.PRIORS[params.prior]):
            lines.append(
                "With this prior, a 1 leaves an arm more uncertain than when it was untried. In"
                " this tree, EUBRL knows only what it believes now. Everywhere else it remembers"
                " the largest doubt it has had, and may then earn more or less than this."
            )
        return "\n".join([*lines, _tree_words(state)])


def _tree_words(state: State) -> str:
    """The part of the tree that is shown."""
    nodes = [node for level in state.levels for node in level]
    wrong = [node for node in nodes if node.disagrees > SMALLEST_RING]
    if not wrong:
        return f"In the part shown, {state.params.against} does no worse than the best explorer."
    first = wrong[0]
    ones_a, zeros_a, ones_b, zeros_b = first.counts
    return (
        f"In the part shown, {state.params.against} may do worse in {len(wrong)} of {len(nodes)}"
        f" nodes. {'The first' if wrong[1:] else 'That one'} comes"
        f" after {counted(ones_a, 'one')} and {counted(zeros_a, 'zero')} from the first arm,"
        f" and {ones_b} and {zeros_b} from the second: there it does worse with probability"
        f" {first.disagrees:.2f}."
    )
