"""The results that the paper stands for, at the published sizes that are quick to run."""

import pytest

import eubrl_edu as eu


def runs(study, agent, size, n):
    return eu.run_study(study, [agent], [size], range(n), progress=False)


@pytest.mark.parametrize(("size", "least"), [(2, 394), (4, 377)])
def test_eubrl_on_loop(size, least):
    assert runs("loop", "EUBRL", size, 100).return_1000.mean() >= least


def test_rmax_on_two_loops_is_always_the_same():
    assert (runs("loop", "RMAX", 2, 50).return_1000 == 394).all()


def test_eubrl_solves_every_deterministic_deep_sea():
    frame = runs("deepsea-deterministic", "EUBRL", 10, 20)
    assert frame.solved.all()
    assert 27 <= frame.episodes.mean() <= 33


def test_eubrl_solves_every_deterministic_lazy_chain():
    frame = runs("lazychain-deterministic", "EUBRL", 10, 20)
    assert frame.solved.all()
    assert 180 <= frame.steps.mean() <= 200
