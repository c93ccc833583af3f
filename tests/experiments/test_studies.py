"""A study says of itself all that is to be known of an experiment."""

import pytest

import eubrl_edu as eu
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import STUDIES, Study, make_agent
from eubrl_edu.experiments.success_rules import found_treasure


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda study: study.name)
def test_its_title_names_what_is_measured(study):
    assert study.metric in study.title


@pytest.mark.parametrize(
    ("arguments", "metric"),
    [
        ({}, "return"),
        ({"success": found_treasure}, "steps"),
        ({"success": found_treasure, "metric": "episodes"}, "episodes"),
    ],
)
def test_what_is_measured_where_nothing_is_said(arguments, metric):
    assert Study("mine", "deepsea", steps=10, **arguments).metric == metric


@pytest.mark.parametrize(
    "arguments",
    [{"metric": "steps"}, {"metric": "episodes"}, {"success": found_treasure, "metric": "return"}],
)
def test_runs_that_stop_when_they_have_solved_have_no_return_to_compare(arguments):
    """Who solves later earns for longer; and who has nothing to solve takes all its steps."""
    with pytest.raises(ValueError, match="metric must be"):
        Study("mine", "deepsea", steps=10, **arguments)


@pytest.mark.parametrize(
    ("size", "in_the_table"),
    [(7, 7), ((4, 4), 3), (None, 3), ("big", 3), (float("nan"), 3), (2.7, 3), (0, 3)],
)
def test_what_stands_for_the_size_of_a_world_of_ones_own(size, in_the_table):
    class Own(TabularEnvironment):
        def __init__(self):
            self.size = size
            super().__init__(n_states=3, n_actions=2)

        def outcomes(self, state, action):
            yield Outcome(1.0, (state + action) % 3, 1.0)

    frame = eu.run_study(Study("own", Own, steps=5), ["EUBRL"], seeds=1, progress=False)
    assert frame["size"].tolist() == [in_the_table]
    eu.make_agent("EUBRL", Own())


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda study: study.name)
def test_its_settings_are_those_that_its_agents_get(study):
    size = study.sizes[0]
    settings = study.settings("EUBRL", size)
    agent = make_agent("EUBRL", study.make_world(size))
    assert agent.eta == settings.eta * (size if settings.eta_per_size else 1)
    assert agent.belief.transitions.alpha == settings.alpha
    assert agent.discount == settings.discount


def test_a_world_of_ones_own_has_the_general_settings():
    study = Study("mine", "FrozenLake-v1", steps=10)
    assert study.settings("EUBRL") == eu.experiments.settings.Settings()
