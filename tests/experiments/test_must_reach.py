"""The results that the paper stands for, at the published sizes that are quick to run."""

import pytest

import eubrl_edu as eu
from eubrl_edu.reproduction.campaign import LAZY, PAPERS_VBRB


def runs(study, agent, size, n):
    return eu.run_study(study, [agent], [size], range(n), progress=False)


def with_the_papers_settings(study, n):
    """VBRB at size 10."""
    papers = PAPERS_VBRB[study]
    return eu.run_study(study, ["VBRB"], [10], range(n), progress=False, settings=papers)


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


def test_vbrb_solves_most_of_the_stochastic_lazy_chains():
    """With the paper's settings, which suit another form of its bonus, it solves none."""
    ours = runs("lazychain-stochastic", "VBRB", 10, 40)
    assert ours.solved.mean() > 0.6  # 0.81 of 100 seeds
    papers = with_the_papers_settings("lazychain-stochastic", 40)
    assert not papers.solved.any()


def test_vbrb_is_quick_on_deterministic_lazy_chains():
    ours, papers = runs(LAZY, "VBRB", 10, 20), with_the_papers_settings(LAZY, 20)
    assert ours.solved.all() and papers.solved.all()
    assert ours.steps.mean() < 0.6 * papers.steps.mean()
