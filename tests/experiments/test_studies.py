"""A study says of itself all that is to be known of an experiment."""

import pytest

import eubrl_edu as eu
from eubrl_edu.experiments import STUDIES, Study, make_agent
from eubrl_edu.experiments.success_rules import found_treasure


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda study: study.name)
def test_its_title_names_what_is_measured(study):
    assert study.metric in study.title


@pytest.mark.parametrize(
    ("arguments", "metric"),
    [({}, "return"), ({"success": found_treasure}, "steps"), ({"metric": "episodes"}, "episodes")],
)
def test_what_is_measured_where_nothing_is_said(arguments, metric):
    assert Study("mine", "deepsea", steps=10, **arguments).metric == metric


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
