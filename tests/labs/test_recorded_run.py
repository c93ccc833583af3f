import numpy as np

import eubrl_edu as eu
from eubrl_edu.labs.slices import record


def test_it_is_what_simulate_records():
    env = eu.make_env("chain")
    whole = eu.simulate(eu.make_agent("EUBRL", env), env, 60, seed=4, record_plans=True)
    work = record(eu.make_agent("EUBRL", env), env, 60, seed=4)
    fractions = []
    while True:
        try:
            fractions.append(next(work))
        except StopIteration as end:
            sliced = end.value
            break
    np.testing.assert_allclose(fractions, np.arange(1, 61) / 60)
    for column in ("states", "actions", "rewards", "next_states", "terminated", "episode_ends"):
        np.testing.assert_array_equal(getattr(whole, column), getattr(sliced, column))
    for one, other in zip(whole.plans, sliced.plans, strict=True):
        np.testing.assert_array_equal(one.q, other.q)
