"""BayesOptimalLab without a browser: its tree against plain recursion over all histories."""

from functools import cache

import numpy as np
import pytest
from scipy import stats

from eubrl_edu.labs import BayesOptimalLab
from eubrl_edu.labs.bayes_optimal.scene import PRIORS, Params, beliefs, chance_to_be_better, compute


def earned_by_recursion(tries, worlds, rule=None):
    """What a rule (or the best one) earns; a belief is (ones, zeros, ones, zeros)."""

    @cache
    def value(seen, left):
        if left == 0:
            return 0.0
        worths = []
        for arm in (0, 2):
            ones, zeros = seen[arm] + worlds[0], seen[arm + 1] + worlds[1]
            won, lost = (seen[:k] + (seen[k] + 1,) + seen[k + 1 :] for k in (arm, arm + 1))
            p = ones / (ones + zeros)
            worths.append(p * (1 + value(won, left - 1)) + (1 - p) * value(lost, left - 1))
        share = float(worths[0] > worths[1]) if rule is None else rule(seen)
        return share * worths[0] + (1 - share) * worths[1]

    return value((0, 0, 0, 0), tries)


def larger(first, second):
    return 0.5 if np.isclose(first, second) else float(first > second)


def arms(seen, prior):
    return [stats.beta(seen[k] + prior[0], seen[k + 1] + prior[1]) for k in (0, 2)]


@pytest.mark.parametrize("prior", ["uniform", "poor arms"])
def test_what_each_rule_earns(prior):
    worlds, tries, eta = PRIORS[prior], 5, 0.7
    state = compute(Params(tries=tries, prior=prior, worlds=prior, eta=eta))

    def mean_mdp(seen):
        return larger(*(arm.mean() for arm in arms(seen, worlds)))

    def eubrl(seen):
        deviations = [arm.std() for arm in arms(seen, worlds)]
        largest = max(*deviations, stats.beta(*worlds).std())
        guided = [
            (1 - deviation / largest) * arm.mean() + deviation / largest * eta * deviation
            for arm, deviation in zip(arms(seen, worlds), deviations, strict=True)
        ]
        return larger(*guided)

    assert state.best == pytest.approx(earned_by_recursion(tries, worlds))
    assert state.earned["Mean-MDP"] == pytest.approx(earned_by_recursion(tries, worlds, mean_mdp))
    assert state.earned["EUBRL"] == pytest.approx(earned_by_recursion(tries, worlds, eubrl))


def test_known_numbers():
    state = compute(Params(tries=2))
    assert state.best == pytest.approx(13 / 12)
    assert state.oracle == pytest.approx(4 / 3, abs=1e-4)
    state = compute(Params())
    assert state.best == pytest.approx(12.431, abs=5e-4)  # as notebook 13 finds it
    assert all(state.avoidable(rule) > 0 for rule in state.earned)


@pytest.mark.parametrize("prior", PRIORS)
def test_the_chance_to_be_better(prior):
    better = chance_to_be_better(PRIORS[prior], 6)
    rng, (a, b) = np.random.default_rng(0), PRIORS[prior]
    first, second = rng.beta(a + 3, b + 1, 200_000), rng.beta(a, b + 2, 200_000)
    assert better[3, 1, 0, 2] == pytest.approx((first > second).mean(), abs=0.01)
    assert better + better.transpose(2, 3, 0, 1) == pytest.approx(1)


def test_beliefs_are_all_that_may_have_been_seen():
    assert len(beliefs(4)) == len(set(map(tuple, beliefs(4)))) == 35
    assert (beliefs(4).sum(axis=1) == 4).all()


def test_the_tree_grows_one_try_a_level():
    state = compute(Params(levels=4, against="PSRL"))
    assert [len(level) for level in state.levels] == [1, 2, 4, 8, 16]
    for t, level in enumerate(state.levels):
        assert sum(node.reached for node in level) == pytest.approx(1)
        assert all(sum(node.counts) == t for node in level)
    root, (after_one, after_zero) = state.levels[0][0], state.levels[1]
    assert (root.share, root.disagrees) == (0.5, 0.0)
    assert after_one.share == 1.0 and after_one.chances == pytest.approx((2 / 3, 1 / 2))
    # P(x > y) for x with density 2x and y uniform is the mean of x.
    assert after_one.disagrees == pytest.approx(1 / 3, abs=1e-3)
    assert after_zero.share == 0.0
    assert len(compute(Params(tries=2, levels=5)).levels) == 2


def test_words_name_a_step_that_is_worse():
    assert "EUBRL does no worse" in repr(BayesOptimalLab())
    words = repr(BayesOptimalLab(eta=0.3))
    assert "The first comes after 0 ones and 1 zero from the first arm" in words
    assert "EUBRL (η = 0.3) │ 10.66" in words


def test_words_say_where_an_agent_would_remember_a_larger_doubt():
    """A one raises the variance of Beta(1, 9), and of none of the other priors."""
    assert "remembers" not in repr(BayesOptimalLab(prior="poor arms", tries=2))
    said = {
        prior
        for prior in PRIORS
        if "remembers the largest doubt" in repr(BayesOptimalLab(prior=prior))
    }
    assert said == {"poor arms"}


@pytest.mark.parametrize("bad", [{"tries": 0}, {"tries": 21}, {"eta": 0.0}, {"prior": "none"}])
def test_bad_settings(bad):
    with pytest.raises(ValueError):
        BayesOptimalLab(**bad)
