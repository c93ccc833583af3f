"""The class of priors: constants against beliefs that learned, rates against simulated ones."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eubrl_edu.agents import EUBRL, MeanMDP
from eubrl_edu.beliefs import (
    Belief,
    BetaBernoulliRewards,
    DirichletTransitions,
    KnownRewards,
    NormalGammaRewards,
    NormalRewards,
    TiedDirichletTransitions,
)
from eubrl_edu.beliefs.transitions import TransitionBelief
from eubrl_edu.environments import make_env
from eubrl_edu.theory.bounds_prior_dependent import (
    prior_dependent_regret_bound,
    prior_dependent_sample_complexity,
)
from eubrl_edu.theory.priors_class import classify_prior
from eubrl_edu.theory.priors_constants import PriorConstants, class_constants, prior_constants
from eubrl_edu.theory.priors_rate import estimate_rate, uncertainty_along_visits

R_MAX = 2.0


def make_rewards(kind, n_states, n_actions, on):
    sizes = (n_states, n_actions)
    return {
        "normal": lambda: NormalRewards(*sizes, mu0=0.5, tau0=3.0, tau=2.0, on=on),
        "normal-gamma": lambda: NormalGammaRewards(*sizes, mu0=-1.0, lambda0=0.7, on=on),
        "beta": lambda: BetaBernoulliRewards(*sizes, alpha0=2.0, beta0=0.5, on=on),
        "known": lambda: (
            KnownRewards(
                np.broadcast_to(np.linspace(0, R_MAX, n_states), (*sizes, n_states)),
                np.broadcast_to(np.arange(n_states), (*sizes, n_states)),
            )
            if on == "outcome"
            else KnownRewards(np.ones(sizes))
        ),
    }[kind]()


def make_belief(kind="normal", on="action", n_states=3, alpha=0.5, n_actions=1):
    transitions = DirichletTransitions(n_states, n_actions, alpha)
    return Belief(transitions, make_rewards(kind, n_states, n_actions, on))


KINDS = ["normal", "normal-gamma", "beta", "known"]


@pytest.mark.parametrize("on", ["action", "outcome"])
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.floats(0, R_MAX)), min_size=1),
    st.floats(0.01, 20.0),
)
def test_posteriors_stay_as_near_to_the_data_as_weakly_informative_says(kind, on, history, alpha):
    belief = make_belief(kind, on, alpha=alpha)
    prior = classify_prior(belief, r_max=R_MAX)
    assert prior.weakly_informative.holds == (kind != "known")
    counts, rewards = np.zeros(3), []
    for next_state, success, reward in history:
        known = 1.0 if on == "action" else next_state * R_MAX / 2
        reward = {"beta": float(success), "known": known}.get(kind, reward)
        belief.update(0, 0, reward, next_state)
        counts[next_state] += 1
        rewards.append(reward)
    n = len(history)
    plan = MeanMDP(belief, 0.5).plan()
    apart = np.abs(plan.model.transition_matrix()[0, 0] - counts / n).sum()
    assert apart <= 2 * prior.transition_penalty * 3 / n + 1e-9
    assert abs(plan.mean_reward[0, 0] - np.mean(rewards)) <= prior.reward_penalty / n + 1e-9


def test_constants_are_the_smallest_there_are():
    n = np.arange(1, 10**6, dtype=float)
    prior = classify_prior(make_belief("normal", n_states=3, alpha=0.5), r_max=1.0)
    largest = (n / 3 * 1.5 / (1.5 + n)).max()  # g(n) n / S
    assert largest == pytest.approx(prior.transition_constant, rel=1e-4)
    assert largest < prior.transition_constant == 0.5
    largest = (n * 3.0 / (3.0 + 2.0 * n)).max()  # s(n) n, with τ0 = 3 and τ = 2
    assert largest == pytest.approx(prior.reward_constant, rel=1e-4)
    assert largest < prior.reward_constant == 1.5


def test_the_prior_of_the_corollary_is_in_the_class_with_its_constants():
    prior = classify_prior(make_belief("normal", alpha=0.5), r_max=R_MAX)
    assert prior.decomposable.holds and prior.weakly_informative.holds
    assert prior.uniform.holds and prior.bounded.holds and prior.rate.holds
    assert prior.in_class and prior.nearly_minimax_optimal and prior.missing == {}
    assert (prior.transition_constant, prior.reward_constant) == (0.5, 1.5)
    assert prior.prior_mean_bound == 0.5
    assert prior.transition_penalty == 0.5
    assert prior.reward_penalty == 1.5 * (0.5 + R_MAX)
    constants = class_constants(prior)
    assert (constants.transitions, constants.rewards) == (0.5, 1.5 * (0.5 + R_MAX))
    size = dict(n_states=3, n_actions=1, delta=0.1, discount=0.9, steps=1e6, r_max=R_MAX)
    bound = prior_dependent_regret_bound(**size, prior=constants)
    assert bound.total > bound.frequentist.total


@pytest.mark.parametrize("kind", ["normal-gamma", "beta", "known"])
def test_priors_that_lose_their_spread_are_outside_and_bounds_say_why(kind):
    prior = classify_prior(make_belief(kind), r_max=R_MAX)
    assert prior.decomposable.holds and not prior.rate.holds and not prior.in_class
    with pytest.raises(ValueError, match=r"lacks: rate Θ\(1/√n\) of epistemic uncertainty .*1/n²"):
        class_constants(prior)


def make_tied(rewards, n_states=5, on="action"):
    transitions = TiedDirichletTransitions(n_states, 1)
    return Belief(transitions, make_rewards(rewards, n_states, 1, on))


def test_a_tied_prior_is_outside_whatever_its_rate():
    normal = classify_prior(make_tied("normal"), r_max=R_MAX)
    assert not normal.decomposable.holds and not normal.weakly_informative.holds
    assert set(normal.missing) == {"decomposable or weakly informative"}
    assert math.isinf(normal.transition_penalty) and math.isinf(normal.reward_penalty)
    with pytest.raises(ValueError, match="decomposable or weakly informative"):
        class_constants(normal)
    counted = classify_prior(make_tied("known"), r_max=R_MAX, uncertainty="count")
    assert counted.rate.holds and not counted.in_class


@pytest.mark.parametrize(
    "kind, on, rewards_vary, holds",
    [
        ("normal", "action", False, True),
        ("normal-gamma", "action", False, False),
        ("normal-gamma", "action", True, True),
        ("known", "action", True, False),
        ("normal", "outcome", False, False),
    ],
)
def test_the_rate_of_a_tied_prior_is_that_of_an_agent_that_saw_other_states_first(
    kind, on, rewards_vary, holds
):
    """State 1 showed steps to the left and to the right; state 2, which is asked, only to the
    left. √n E_b stays between two constants, or it does not.
    """
    found = classify_prior(make_tied(kind, on=on), r_max=R_MAX, rewards_vary=rewards_vary)
    assert found.rate.holds == holds
    scaled = []
    for n in [100, 10_000]:
        belief = make_tied(kind, on=on)
        for next_state in (0, 2):
            belief.transitions.update(1, 0, next_state, times=10**8)
        rewards = np.arange(n) % 2 * R_MAX if rewards_vary and kind != "known" else np.ones(n)
        belief.update_batch(np.full(n, 2), np.zeros(n, int), rewards, np.ones(n, int))
        plan = EUBRL(belief, discount=0.5).plan()
        doubt = plan.transition_uncertainty[2, 0] ** 0.5 + plan.reward_uncertainty[2, 0] ** 0.5
        scaled.append(n**0.5 * doubt)
    ratio = scaled[1] / scaled[0]
    assert (0.9 < ratio < 1.15) == holds


BOUNDS = {
    "regret": lambda **a: prior_dependent_regret_bound(steps=1e6, **a).total,
    "sample complexity": lambda **a: prior_dependent_sample_complexity(epsilon=0.5, **a),
}
SIZES = {"n_states": 3, "n_actions": 1, "delta": 0.1, "discount": 0.9, "r_max": R_MAX}


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounds_take_the_prior_or_what_it_is_or_its_constants(bound):
    belief = make_belief("normal", alpha=0.5)
    prior = classify_prior(belief, r_max=R_MAX)
    values = [BOUNDS[bound](**SIZES, prior=each) for each in (belief, prior)]
    assert values == [BOUNDS[bound](**SIZES, prior=class_constants(prior))] * 2


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("kind", ["normal-gamma", "beta", "known"])
def test_a_bound_says_which_property_a_prior_outside_the_class_lacks(kind, bound):
    belief = make_belief(kind)
    for prior in (belief, classify_prior(belief, r_max=R_MAX)):
        with pytest.raises(ValueError, match=r"lacks: rate Θ\(1/√n\) of epistemic uncertainty"):
            BOUNDS[bound](**SIZES, prior=prior)
    moved = classify_prior(belief, r_max=R_MAX, transitions_vary=True)
    assert BOUNDS[bound](**SIZES, prior=moved) > 0
    with pytest.raises(ValueError, match="lacks: decomposable or weakly informative .*; rate Θ"):
        BOUNDS[bound](**SIZES, prior=make_tied("normal-gamma", n_states=3))


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounds_refuse_priors_of_another_size_and_what_is_no_prior(bound):
    with pytest.raises(ValueError, match="prior must be over 3 states and 1 actions, got one over"):
        BOUNDS[bound](**SIZES, prior=make_belief(n_states=4))
    with pytest.raises(ValueError, match="prior must be a Belief, what classify_prior says"):
        BOUNDS[bound](**SIZES, prior=0.5)


@pytest.mark.parametrize("value", [-1.0, math.inf, math.nan, None])
def test_constants_are_finite_and_at_least_0(value):
    with pytest.raises(ValueError, match="transitions must be a finite number of at least 0"):
        PriorConstants(value, 1.0)
    with pytest.raises(ValueError, match="rewards must be a finite number of at least 0"):
        PriorConstants(1.0, value)
    for position, name in enumerate(["transition_constant", "reward_constant", "prior_mean"]):
        if value != -1.0 or name != "prior_mean":
            arguments = [0.5, 0.5, 0.5]
            arguments[position] = value
            with pytest.raises(ValueError, match=f"{name} must be in"):
                prior_constants(*arguments, r_max=1.0)


def test_a_tied_posterior_does_not_come_near_the_data_of_one_pair():
    belief = Belief(TiedDirichletTransitions(5, 1), NormalRewards(5, 1, on="action"))
    for _ in range(1000):
        belief.update(2, 0, 0.0, 3)
        belief.update(1, 0, 0.0, 0)
    row = MeanMDP(belief, 0.5).plan().model.transition_matrix()[2, 0]
    assert row[3] == pytest.approx(0.5, abs=0.01)  # P̂(3 | 2) is 1


def test_rewards_of_outcomes_do_not_split_by_n_alone():
    """The same n and the same averages, but another weight for the prior."""
    errors = []
    for split in ([5, 5, 0], [10, 0, 0]):
        belief = make_belief("normal", "outcome", alpha=1e-9)
        for next_state, count in enumerate(split):
            for _ in range(count):
                belief.update(0, 0, 1.0, next_state)
        errors.append(MeanMDP(belief, 0.5).plan().mean_reward[0, 0] - 1.0)
    assert abs(errors[0] - errors[1]) > 0.02
    prior = classify_prior(belief, r_max=1.0)
    assert not prior.decomposable.holds and prior.weakly_informative.holds
    assert "grows with S" in prior.uniform.why


@pytest.mark.parametrize(
    ("world", "kind", "on", "uncertainty", "random"),
    [
        ("loop", "normal", "action", "variance", {}),
        ("loop", "normal", "outcome", "variance", {}),
        ("loop", "normal-gamma", "action", "variance", {}),
        ("loop", "normal-gamma", "outcome", "variance", {"transitions_vary": False}),
        ("chain", "normal-gamma", "outcome", "variance", {"transitions_vary": True}),
        ("loop", "normal-gamma", "action", "mutual-information", {}),
        ("loop", "known", "action", "variance", {}),
        ("loop", "known", "action", "mutual-information", {}),
        ("loop", "known", "action", "count", {}),
        ("loop", "beta", "action", "variance", {}),
        ("chain", "normal-gamma", "action", "variance", {"transitions_vary": True}),
        ("chain", "known", "action", "variance", {"transitions_vary": True}),
        ("bandit", "beta", "action", "variance", {"rewards_vary": True}),
        ("bandit", "normal-gamma", "action", "variance", {"rewards_vary": True}),
    ],
)
def test_the_verdict_on_the_rate_is_what_is_measured(world, kind, on, uncertainty, random):
    env = make_env(world)
    belief = make_belief(kind, on, env.n_states, alpha=1.0, n_actions=env.n_actions)
    prior = classify_prior(belief, r_max=R_MAX, uncertainty=uncertainty, **random)
    visits = np.unique(np.geomspace(300, 3000, 8).astype(int)).tolist()
    curves = [
        uncertainty_along_visits(belief, env, 0, 0, visits, np.random.default_rng(s), uncertainty)
        for s in range(5)
    ]
    estimate = estimate_rate(visits, np.array(curves))
    expected = -0.5 if prior.rate.holds else -1.0
    # At this n the source that falls faster still adds a little to the slope.
    assert estimate.low - 0.1 <= expected <= estimate.high + 0.1
    assert estimate.high - estimate.low < 0.3


@pytest.mark.parametrize("on", ["action", "outcome"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("uncertainty", ["variance", "mutual-information"])
def test_a_rate_that_holds_has_one_constant_for_all_worlds(kind, on, uncertainty):
    """Over all worlds where a reward follows from its outcome, √n E_b is not below some C₁."""
    least = []
    for n in (1_000, 30_000):
        scaled = []
        for rare in (0, 1, round(n**0.25), round(n**0.5), round(n**0.75), n // 3):
            belief = make_belief(kind, on, alpha=2.0)
            next_states = np.repeat([0, 1, 2], [n - 2 * rare, rare, rare])
            rewards = np.ones(n)
            if (kind, on) == ("known", "outcome"):
                rewards = next_states * R_MAX / 2
            belief.update_batch(np.zeros(n, int), np.zeros(n, int), rewards, next_states)
            plan = EUBRL(belief, discount=0.5, uncertainty=uncertainty).plan()
            doubts = plan.transition_uncertainty[0, 0], plan.reward_uncertainty[0, 0]
            scaled.append(n**0.5 * np.sqrt(doubts).sum())
        least.append(min(scaled))
    holds = classify_prior(make_belief(kind, on), r_max=R_MAX, uncertainty=uncertainty).rate.holds
    assert (least[1] > 0.75 * least[0]) == holds, least


@pytest.mark.parametrize(
    ("settings_", "words"),
    [({"r_max": 0.0}, "r_max"), ({"r_max": 1.0, "uncertainty": "entropy"}, "uncertainty")],
)
def test_bad_input_is_named(settings_, words):
    with pytest.raises(ValueError, match=words):
        classify_prior(make_belief(), **settings_)


def test_no_class_is_made_up_for_parameters_of_ones_own():
    own = type("Own", (DirichletTransitions,), {"parameters": lambda self, *pair: None})
    with pytest.raises(ValueError, match="Own has its own parameters"):
        classify_prior(Belief(own(5, 2), NormalRewards(5, 2)), r_max=1.0)
    own = type("Own", (TransitionBelief,), {"all_parameters": lambda self: None})
    with pytest.raises(ValueError, match="Own has its own parameters"):
        classify_prior(Belief(own(5, 2, 1.0), NormalRewards(5, 2)), r_max=1.0)


def test_no_class_is_made_up_for_unknown_rewards():
    belief = make_belief()
    belief.rewards = type("Guess", (), {"on": "action", "prior": lambda self: (0.0, 1.0)})()
    with pytest.raises(ValueError, match="Guess"):
        classify_prior(belief, r_max=1.0, uncertainty="count")
