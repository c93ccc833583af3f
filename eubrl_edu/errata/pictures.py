"""Pictures of three claims of the paper: two that fail, and one that holds but gives way."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from eubrl_edu.beliefs.conjugate_rewards import beta_variance
from eubrl_edu.plotting.picture import Picture
from eubrl_edu.plotting.style import GREY, SKY_BLUE, cues
from eubrl_edu.plotting.turns import drawing
from eubrl_edu.theory.counterexample import QuasiOptimism
from eubrl_edu.theory.inference import jensen_gap, log_optimality, widest_probability
from eubrl_edu.uncertainty import epistemically_guided_reward


def picture_of_variances(alpha: float, histories: Mapping[str, Sequence[int]]) -> Picture:
    """Draw the variance of a Beta(α, α) posterior along histories of successes and failures.

    Parameters
    ----------
    alpha : float
        Prior pseudo-count of ones, and of zeros, above 0.
    histories : mapping of str to sequence of 0 and 1
        What was observed, by the name of the history; all of one length.

    Returns
    -------
    Picture
        With the envelope 1/(4(2α + n + 1)), above which no history rises.
    """
    words = []
    with drawing():
        figure = Figure((7.5, 3.8), layout="constrained")
        axes = figure.subplots()
        for position, (name, outcomes) in enumerate(histories.items()):
            ones = np.concatenate([[0], np.cumsum(outcomes)])
            n = np.arange(len(ones))
            variance = beta_variance(alpha + ones, alpha + n - ones)
            axes.plot(n, variance, **cues(position), label=name)
            rises = n[1:][np.diff(variance) > 0].tolist()
            words.append(f"{name}: the variance rises at n = {', '.join(map(str, rises))}.")
            if not rises:
                words[-1] = f"{name}: the variance falls with every observation."
        envelope = 1 / (4 * (2 * alpha + n + 1))
        axes.plot(n, envelope, color=GREY, linewidth=3, zorder=0, label="never above")
        axes.set(
            xlabel="n, number of observations", ylabel="variance of the belief", ylim=(0, None)
        )
        axes.legend()
    return Picture(figure, "\n".join(words))


def picture_of_jensen_gap(epistemic: float, differences: Sequence[float]) -> Picture:
    """Draw the lower bound of log P(O = 1), and how wide its gap is, as P_U goes from 0 to 1.

    Parameters
    ----------
    epistemic : float
        E_b of the left panel, where r_b is 0.
    differences : sequence of float
        E_b − r_b of the right panel, a line for each.

    Returns
    -------
    Picture
    """
    probability = np.linspace(0, 1, 201)
    words = []
    with drawing():
        figure = Figure((10, 3.8), layout="constrained")
        bound_axes, gap_axes = figure.subplots(1, 2)
        exact = log_optimality(0.0, epistemic, probability)
        guided = epistemically_guided_reward(0.0, epistemic, probability)
        mark = {"markevery": 40}
        bound_axes.plot(probability, exact, **cues(0), **mark, label=r"$\log P(O = 1)$")
        bound_axes.plot(probability, guided, **cues(1), **mark, label="guided reward")
        bound_axes.fill_between(probability, guided, exact, color=SKY_BLUE, alpha=0.3, linewidth=0)
        bound_axes.set(title=rf"$r_b = 0$, $E_b = {epistemic:g}$", xlabel=r"$P_U$")
        bound_axes.legend()
        for position, difference in enumerate(differences):
            widest = widest_probability(0.0, difference)
            style = cues(position)
            marker = style.pop("marker")
            label = rf"$E_b - r_b = {difference:g}$"
            gap = jensen_gap(0.0, difference, probability)
            gap_axes.plot(probability, gap, **style)
            highest = jensen_gap(0.0, difference, widest)
            gap_axes.plot([widest], [highest], **style, marker=marker, markersize=9, label=label)
            words.append(
                f"E_b − r_b = {difference:g}: the gap is widest at P_U = {widest:.2f},"
                f" {highest:.2f} there."
            )
        gap_axes.set(title="How much is given away", xlabel=r"$P_U$", ylim=(0, None))
        gap_axes.legend()
    return Picture(figure, "\n".join(words))


def picture_of_quasi_optimism(checks: Mapping[str, QuasiOptimism]) -> Picture:
    """Draw the bonus beside the one that the proof asks for, and V* − Ṽ beside what is allowed.

    Parameters
    ----------
    checks : mapping of str to QuasiOptimism
        What `eubrl_edu.theory.check_quasi_optimism` returns, by the name of the prior. What the
        proof asks for and allows is drawn for the first of them.

    Returns
    -------
    Picture
    """
    with drawing():
        figure = Figure((10, 3.8), layout="constrained")
        bonus_axes, shortfall_axes = figure.subplots(1, 2)
        for position, (name, check) in enumerate(checks.items()):
            style = cues(position) | {"markevery": 6, "label": name}
            bonus_axes.plot(check.visits, check.bonus, **style)
            shortfall_axes.plot(check.visits, check.shortfall, **style)
        first_name, first = next(iter(checks.items()))
        asked = {"color": GREY, "linewidth": 3, "zorder": 0}
        bonus_axes.plot(first.visits, first.needed, **asked, label=f"needed, {first_name}")
        shortfall_axes.plot(first.visits, first.allowed, **asked, label=f"allowed, {first_name}")
        bonus_axes.set(
            title=r"The bonus, $P_U\,\eta\,\mathcal{E}$", xscale="log", yscale="log", xlabel="n"
        )
        shortfall_axes.set(
            title=r"How far optimism falls short, $V^\star - \widetilde V$",
            xscale="log",
            xlabel="n",
        )
        for axes in (bonus_axes, shortfall_axes):
            axes.legend()
    return Picture(figure, "\n".join(_words(name, check) for name, check in checks.items()))


def _words(name: str, check: QuasiOptimism) -> str:
    if check.first_failure is None:
        return f"{name}: V* − Ṽ is never more than allowed."
    worst = (check.shortfall / check.allowed).argmax()
    return (
        f"{name}: of the n looked at, {check.first_failure} is the first at which V* − Ṽ is more"
        f" than allowed; at n = {check.visits[worst]} it is {check.shortfall[worst]:.4f},"
        f" and {check.allowed[worst]:.4f} is allowed."
    )
