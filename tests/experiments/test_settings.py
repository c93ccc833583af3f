"""Settings of the paper: whom they are for, and what an unknown world gets."""

from dataclasses import fields
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from eubrl_edu.environments import WORLDS, make_env
from eubrl_edu.environments.registry import WITH_STOCHASTIC_VARIANT
from eubrl_edu.experiments import run_study
from eubrl_edu.experiments.agents import variant_named, world_variant
from eubrl_edu.experiments.records import AGENT_NAMES
from eubrl_edu.experiments.settings import AGENT_SETTINGS, WORLD_SETTINGS, Settings, paper_settings
from eubrl_edu.experiments.studies import STUDIES


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


HALF = [Decimal("0.5"), Fraction(1, 2), np.float32(0.5), np.float64(0.5), np.array(0.5)]


@pytest.mark.parametrize("half", HALF, ids=lambda half: type(half).__name__)
@pytest.mark.parametrize("two", [np.int64(2), np.uint8(2), np.array(2)], ids=repr)
def test_a_number_of_any_kind_is_kept_as_a_plain_one(half, two):
    plain = {field.name: field.default for field in fields(Settings)}
    for field in fields(Settings):
        if field.type in (float, float | None):
            plain[field.name] = 0.5
        elif field.type in (int, int | str):
            plain[field.name] = 2
    given = {
        name: half if value == 0.5 else two if value == 2 else np.bool_(value)
        for name, value in plain.items()
        if not isinstance(value, str)
    }
    kept = vars(Settings(**given))
    assert kept == plain
    assert [type(value) for value in kept.values()] == [type(value) for value in plain.values()]


def test_its_runs_are_found_again_in_a_store(tmp_path):
    runs = [
        run_study(
            "loop", ["RMAX"], sizes, 2, settings=settings, store=tmp_path / "runs", progress=False
        )
        for sizes, settings in (
            ([2], {"known_after": 2, "r_max": 2}),
            (np.array([2]), {"known_after": np.array(2), "r_max": Decimal(2)}),
            ([np.int32(2)], {"known_after": np.int64(2), "r_max": np.array(2.0)}),
        )
    ]  # seconds are measured: they are equal where nothing ran again
    pd.testing.assert_frame_equal(runs[0], runs[1])
    pd.testing.assert_frame_equal(runs[0], runs[2])


def test_every_world_of_a_study_has_its_settings_and_all_settings_are_of_a_world():
    variants = [
        world_variant(make_env(name, stochastic=stochastic))
        for name in WORLDS
        for stochastic in ((False, True) if name in WITH_STOCHASTIC_VARIANT else (False,))
    ]
    studied = {variant_named(study.environment, study.stochastic) for study in STUDIES.values()}
    assert studied <= set(WORLD_SETTINGS) <= set(variants)
