"""Agents by name."""

import re
from dataclasses import fields

from eubrl_edu.experiments import Settings, make_agent


def test_the_docstring_names_every_setting_and_settings_explains_it():
    names = {field.name for field in fields(Settings)} - {"eta_per_size"} | {"horizon"}
    listed = make_agent.__doc__.split("**settings")[1].split("Returns")[0]
    assert set(re.findall(r"``(\w+)``", listed)) == names
    explained = re.findall(r"^    ([a-z0-9_, ]+) : ", Settings.__doc__, flags=re.MULTILINE)
    assert names - {"horizon"} <= {name for line in explained for name in line.split(", ")}
