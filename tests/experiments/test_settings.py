"""Settings of the paper: whom they are for, and what an unknown world gets."""

import pytest

from eubrl_edu.experiments.records import AGENT_NAMES
from eubrl_edu.experiments.settings import (
    AGENT_SETTINGS,
    WORLD_SETTINGS,
    Settings,
    paper_settings,
)


def test_every_departure_is_of_a_known_agent_in_a_known_world():
    for world, agent in AGENT_SETTINGS:
        assert world in WORLD_SETTINGS
        assert agent in AGENT_NAMES


def test_a_foreign_world_has_the_general_defaults():
    assert paper_settings(None, "EUBRL") == Settings()


@pytest.mark.parametrize("world", ["loop-scaling", "deepsea", "", 3])
def test_a_world_that_is_not_in_the_table_is_refused(world):
    with pytest.raises(ValueError, match=r"unknown world .*; choose one of: chain, loop"):
        paper_settings(world, "EUBRL")
