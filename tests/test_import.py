import subprocess
import sys

import pytest

import eubrl_edu as eu

HEAVY = ("matplotlib", "pandas", "ipywidgets", "numba", "IPython", "seaborn", "tqdm", "joblib")


def modules_after(code):
    """Top-level names in ``sys.modules`` of a new interpreter that has run ``code``."""
    report = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    result = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_importing_the_package_loads_nothing_heavy():
    loaded = modules_after("import eubrl_edu")
    assert "eubrl_edu" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_the_core_needs_no_plotting_and_no_tables():
    loaded = modules_after(
        "import eubrl_edu as eu\n"
        "env = eu.make_env('loop')\n"
        "belief = eu.Belief(eu.DirichletTransitions(9, 2), eu.NormalGammaRewards(9, 2))\n"
        "eu.simulate(eu.EUBRL(belief), env, steps=3, seed=0)"
    )
    assert loaded.isdisjoint({"matplotlib", "pandas", "ipywidgets"})


@pytest.mark.parametrize("name", eu.__all__)
def test_every_public_name_resolves_and_is_documented(name):
    value = getattr(eu, name)
    assert name in dir(eu)
    if name != "__version__":
        assert value.__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="eubrl_edu.*EUBLR"):
        eu.EUBLR  # noqa: B018
