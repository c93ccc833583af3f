"""Quasi-optimism visit by visit: under a prior that breaks it, and under one that keeps it."""

from collections.abc import Mapping

import matplotlib
from matplotlib.figure import Figure

from eubrl_edu.plotting.picture import Picture
from eubrl_edu.plotting.style import GREY, cues, rc_parameters
from eubrl_edu.theory.counterexample import QuasiOptimism


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
    with matplotlib.rc_context(rc_parameters()):
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
        f"{name}: from n = {check.first_failure} on, V* − Ṽ is more than allowed;"
        f" at n = {check.visits[worst]} it is {check.shortfall[worst]:.4f},"
        f" and {check.allowed[worst]:.4f} is allowed."
    )
