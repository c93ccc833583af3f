"""The evidence for each of the paper's claims: from the runs to parts that say yes or no."""

import numpy as np
import pandas as pd
import scipy.stats

from eubrl_edu.environments import make_env
from eubrl_edu.experiments.intervals import (
    FEWEST_PAIRS,
    Interval,
    paired_difference,
    rate_difference,
    wilson_interval,
)
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.reproduction.campaign import (
    KNOWN_AFTER,
    LAZY,
    NOISY_SEA,
    ONE_BETA0,
    PRECISIONS,
    SEA,
    planning_intervals,
    variant_name,
)
from eubrl_edu.reproduction.comparisons import (
    NO,
    OPEN,
    YES,
    Part,
    Runs,
    against,
    compare,
    counted,
    difference_of_rates,
    short,
    world_of,
)
from eubrl_edu.reproduction.reward_priors import SCHEDULES, average_log_errors

BASELINES = ("PSRL", "RMAX", "BEETLE", "BOSS", "Mean-MDP", "BEB", "MBIE-EB", "VBRB")
BONUS_AGENTS = ("EUBRL", "BEB", "MBIE-EB", "VBRB")
NEVER_FAILS = 0.95
# An exponent of 1 is growth in proportion; so much more is left to what one cannot fit.
LINEAR = 1.1


def leads(results: Runs, studies) -> list[Part]:
    """EUBRL against each of the algorithms that the paper compares it with."""
    parts = []
    for study in studies:
        rivals = [agent for agent in STUDIES[study].agents if agent in BASELINES]
        parts += against(results, study, "EUBRL", rivals)
    return parts


def mean_mdp_trails(results: Runs) -> list[Part]:
    """Mean-MDP against each agent with a bonus: yes where the other is better."""
    parts = []
    for study in ("chain", "loop"):
        rivals = [agent for agent in STUDIES[study].agents if agent in BONUS_AGENTS]
        for rival in rivals:
            parts += against(results, study, rival, ["Mean-MDP"])
    return parts


def scales_better_with_loops(results: Runs) -> list[Part]:
    """EUBRL against RMAX at each number of loops, and whether the gap grows."""
    study = "loop-scaling"
    words = "RMAX takes {small} times EUBRL's steps at {first} loops and {large} times at {last}"
    return [
        *against(results, study, "EUBRL", ["RMAX"]),
        *_growth_of_ratio(results, study, "RMAX", "EUBRL", words),
    ]


def scales_badly(results: Runs, agent: str) -> list[Part]:
    """Against EUBRL in the calm sea and EUBRL+ in the noisy one: at each size, and the growth."""
    parts = []
    for study, reference in ((SEA, "EUBRL"), (NOISY_SEA, "EUBRL+")):
        for size in results.sizes(study, agent):
            found = compare(results.of(study, agent, size), results.of(study, reference, size))
            where = f"{world_of(study, size)}: {agent} against {reference}"
            parts.append(Part(where, -found.outcome, found.words()))
        words = f"{{small}} times {reference}'s steps at {{first}}, {{large}} times at {{last}}"
        parts += _growth_of_ratio(results, study, agent, reference, words)
    return parts


def never_fails(results: Runs) -> list[Part]:
    """Whether any run of EUBRL+ failed; open where so few ran that chance could hide failures."""
    parts = []
    for size in results.sizes(NOISY_SEA, "EUBRL+"):
        solved = results.of(NOISY_SEA, "EUBRL+", size).solved
        successes, n = int(solved.sum()), len(solved)
        rate = wilson_interval(successes, n)
        outcome = NO if successes < n else YES if rate.low >= NEVER_FAILS else OPEN
        text = (
            f"solved {successes} of {n} ({rate.value:.1%}, 95% interval "
            f"{rate.low:.1%} to {rate.high:.1%})"
        )
        parts.append(Part(world_of(NOISY_SEA, size), outcome, text))
    return parts


def solves_most(results: Runs, agent: str, studies, rivals=None) -> list[Part]:
    """The agent's success rate over all sizes together against each rival's."""
    parts = []
    for study in studies:
        for rival in STUDIES[study].agents if rivals is None else rivals:
            ours, theirs = results.all_sizes(study, agent), results.all_sizes(study, rival)
            both = ours.merge(theirs, on=["size", "seed"], suffixes=("", "_other"))
            if rival == agent or both.empty:
                continue
            n = len(both)
            successes, others = int(both.solved.sum()), int(both.solved_other.sum())
            difference = rate_difference(successes, n, others, n)
            text = f"solved {successes} of {n} against {others} ({difference_of_rates(difference)})"
            where = f"{study}, all sizes: {agent} against {rival}"
            outcome = difference.side if n >= FEWEST_PAIRS else OPEN
            parts.append(Part(where, outcome, text))
    return parts


def fewest_samples(results: Runs, agent: str, studies) -> list[Part]:
    """The agent's steps against each other agent's, at each size; success is judged apart."""
    parts = []
    for study in studies:
        rivals = STUDIES[study].agents
        parts += against(results, study, agent, rivals, lambda found: -found.difference.side)
    return parts


def sampling_too_often(results: Runs) -> list[Part]:
    """PSRL that draws as often as could be afforded against drawing more seldom."""
    parts = []
    for study in (SEA, LAZY):
        for size in STUDIES[study].sizes:
            variants = [variant_name({"plan_every": each}) for each in planning_intervals(size)]
            runs = {variant: results.of(study, "PSRL", size, variant) for variant in variants}
            enough = [variant for variant in variants if len(runs[variant]) >= FEWEST_PAIRS]
            for seldom in enough[1:]:
                found = compare(runs[seldom], runs[enough[0]])
                where = f"{world_of(study, size)}: {seldom} against {enough[0]}"
                parts.append(Part(where, found.outcome, found.words()))
    return parts


def explores_in_proportion(results: Runs) -> list[Part]:
    """The exponent b of RMAX's steps, c·(mSA)ᵇ, where every run solved its world."""
    parts = []
    for study in (SEA, LAZY):
        logs = []
        for m in KNOWN_AFTER:
            variant = variant_name({"known_after": m})
            for size in results.sizes(study, "RMAX", variant):
                runs = results.of(study, "RMAX", size, variant)
                if runs.solved.all():
                    env = make_env(STUDIES[study].environment, size)
                    pairs = env.n_states * env.n_actions
                    logs.append((np.log(m * pairs), np.log(runs.steps.mean())))
        if len(logs) < 3:
            continue
        x, y = np.transpose(logs)
        fit = scipy.stats.linregress(x, y)
        half = scipy.stats.t.ppf(0.975, len(x) - 2) * fit.stderr
        low, high = fit.slope - half, fit.slope + half
        outcome = YES if high <= LINEAR else NO if low > LINEAR else OPEN
        text = (
            f"steps grow with mSA to the power {fit.slope:.2f} (95% interval {low:.2f} to "
            f"{high:.2f}) over {len(x)} settings; steps / mSA from {np.exp((y - x).min()):.2f} to "
            f"{np.exp((y - x).max()):.2f}"
        )
        parts.append(Part(study, outcome, text))
    return parts


def normal_gamma_adapts(results: Runs) -> list[Part]:
    """One Normal-Gamma prior against each known precision, in the calm and in the noisy sea."""
    ours = variant_name({"beta0": ONE_BETA0})
    parts = []
    for tau in PRECISIONS:
        theirs = variant_name({"reward_model": "normal", "tau": tau})
        found = {}
        for study in (SEA, NOISY_SEA):
            for size in results.sizes(study, "EUBRL", ours):
                runs = (results.of(study, "EUBRL", size, v) for v in (ours, theirs))
                found[world_of(study, size)] = compare(*runs)
        outcomes = [comparison.outcome for comparison in found.values()]
        outcome = NO if NO in outcomes and YES not in outcomes else OPEN
        if YES in outcomes and NO not in outcomes:
            outcome = YES
        if found:
            text = ". ".join(f"{world}: {found[world].words()}" for world in found)
            parts.append(Part(f"Normal-Gamma against τ = {tau:g}, both seas", outcome, text))
    for schedule in SCHEDULES:
        gamma, normal = average_log_errors(schedule)
        difference = paired_difference(normal, gamma)
        text = (
            "E_R is off the true squared error of the mean by a factor of "
            f"{np.exp(gamma.mean()):.2f} (Normal-Gamma) and {np.exp(normal.mean()):.2f} (τ = 1), "
            f"{np.exp(difference.value):.3g} times as far (95% interval "
            f"{np.exp(difference.low):.3g} to {np.exp(difference.high):.3g})"
        )
        noise = " then ".join(f"{deviation:g}" for deviation in dict.fromkeys(schedule))
        parts.append(Part(f"200 rewards with deviation {noise}", difference.side, text))
    return parts


def variant_is_better(results, agent, ours: str, theirs: str, studies) -> list[Part]:
    """One variant of an agent against another, wherever both were run."""
    parts = []
    for study in studies:
        for size in results.sizes(study, agent, ours):
            other = results.of(study, agent, size, theirs)
            if len(other):
                found = compare(results.of(study, agent, size, ours), other)
                where = f"{world_of(study, size)}: {ours} against {theirs}"
                parts.append(Part(where, found.outcome, found.words()))
    return parts


def _log_ratios(results, study, agent, reference, size) -> pd.Series:
    """How many times the reference's steps the agent took, as logarithms, by seed."""
    ours = results.of(study, agent, size).set_index("seed").steps
    theirs = results.of(study, reference, size).set_index("seed").steps
    return np.log(ours / theirs).dropna()


def _growth_of_ratio(
    results: Runs, study: str, agent: str, reference: str, words: str
) -> list[Part]:
    """How the ratio of steps grows from the smallest to the largest size; nothing from few seeds.

    Both ratios are geometric means over the seeds that ran at both sizes. Sizes at which few seeds
    ran are left out.
    """
    ratios = {
        size: logs
        for size in results.sizes(study, agent)
        if len(logs := _log_ratios(results, study, agent, reference, size)) >= FEWEST_PAIRS
    }
    if len(ratios) < 2:
        return []
    first, last = min(ratios), max(ratios)
    both = pd.concat([ratios[last], ratios[first]], axis=1, join="inner").to_numpy().T
    seeds = both.shape[1]
    if seeds < FEWEST_PAIRS:
        return []
    large, small = (short(float(np.exp(logs.mean()))) for logs in both)
    growth = paired_difference(*both)
    text = words.format(small=small, first=first, large=large, last=last)
    text += f" ({_in_words(growth)}; {counted(seeds, 'seed')})"
    return [Part(f"{study}: ratio from {first} to {last}", growth.side, text)]


def _in_words(log_growth: Interval) -> str:
    value, low, high = (
        f"{np.exp(end):.3g}" for end in (log_growth.value, log_growth.low, log_growth.high)
    )
    return f"the ratio grows by a factor of {value}, 95% interval {low} to {high}"
