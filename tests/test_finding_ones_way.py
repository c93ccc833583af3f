"""What a person meets who types and looks: names, reprs, and a belief that answers alone."""

import re
from pathlib import Path

import gymnasium
import jedi
import numpy as np
import pandas as pd
import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

import eubrl_edu as eu
from eubrl_edu import labs
from eubrl_edu.cli import main
from eubrl_edu.experiments.intervals import cut_off_interval, wilson_interval
from eubrl_edu.experiments.records import AGENTS
from eubrl_edu.uncertainty.predictive import PosteriorPredictive
from tests.test_import import modules_after

ADDRESS = re.compile(r"0x[0-9a-f]{6,}|object at|array\(")


def lived(name="EUBRL", world="loop", steps=30, **options):
    env = eu.make_env(world, **options)
    agent = eu.make_agent(name, env)
    return env, agent, eu.simulate(agent, env, steps, seed=0)


def test_every_name_is_offered_and_loads_nothing_before_it_is_used():
    for name in ("labs", "plotting", "tune", "STUDIES", "AGENT_NAMES", "plot", "read_store"):
        assert name in dir(eu) and getattr(eu, name) is not None
    loaded = modules_after("import eubrl_edu as eu; dir(eu)")
    assert loaded.isdisjoint({"matplotlib", "pandas", "ipywidgets", "numba"})


@pytest.mark.parametrize("part", ["", "experiments", "exercises", "labs", "plotting"])
def test_editors_find_the_names_without_running_anything(part):
    module = getattr(eu, part) if part else eu
    stub = Path(module.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    offered = re.findall(r"import (\w+) as \1$", stub, flags=re.MULTILINE)
    assert len(offered) == len(stub.splitlines()) - 2 * (not part)  # a blank line, the version
    assert sorted(offered) == sorted(set(module.__all__) - {"__version__"})
    assert Path(eu.__file__).with_name("py.typed").exists()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import eubrl_edu as eu\neu.plan", {"planning"}),
        ("from eubrl_edu.labs import R", {"RaceLab"}),
        ("import eubrl_edu as eu\neu.labs.RaceLab().save_", {"save_page", "save_figure"}),
        ("from eubrl_edu import exercises\nexercises.check_post", {"check_posterior_mean"}),
        ("import eubrl_edu as eu\neu.make_agent('EUBRL', 0).plan().", {"model", "q", "v"}),
        ("from eubrl_edu import theory\ntheory.regret_bound(resist", {"resistance_share="}),
    ],
)
def test_an_editor_completes_what_is_begun(code, expected):
    offered = jedi.Script(code, project=jedi.Project(Path(eu.__file__).parents[1])).complete()
    assert expected <= {completion.name for completion in offered}


def test_a_lab_offers_what_it_is_used_by_and_not_what_every_widget_has():
    shell = InteractiveShell.instance()
    shell.user_ns["lab"] = labs.GuidanceLab()
    with provisionalcompleter():
        offered = {each.text.strip(".") for each in shell.Completer.completions("lab.", 4)}
    assert {"set", "params", "save_page"} <= offered and len(offered) <= 25
    assert "player" not in offered and "player" in dir(labs.ExplorationLab(steps=5))


@pytest.mark.parametrize(
    "part", ["agents", "beliefs", "environments", "exercises", "planning", "uncertainty"]
)
def test_the_parts_of_the_house_are_there_when_asked_for(part):
    fresh = f"import eubrl_edu as eu; assert eu.{part}.__doc__ and {part!r} in dir(eu)"
    assert "numpy" in modules_after(fresh)


@pytest.mark.parametrize("name", [n for n in eu.AGENT_NAMES if not n.startswith("BEETLE")])
def test_an_agent_says_what_it_is(name):
    env = eu.make_env("lazychain", size=3) if name == "EUBRL-tied" else eu.make_env("chain")
    agent = eu.make_agent(name, env)
    agent.act(0, np.random.default_rng(0))
    assert repr(agent).startswith(f"{type(agent).__name__}(") and not ADDRESS.search(repr(agent))
    assert not ADDRESS.search(repr(agent.current_plan)) and len(repr(agent.current_plan)) < 120
    told = AGENTS[name].uses & {"eta", "discount", "plan_every", "known_after", "epsilon"}
    assert told <= set(agent.settings)
    assert agent.settings["discount"] == agent.discount
    for setting in told | AGENTS[name].uses & {"alpha"}:
        assert f"{setting}=" in repr(agent)
    sizes = f"{env.n_states}, {env.n_actions},", f"n_states={env.n_states}, n_actions="
    assert any(each in repr(agent) for each in sizes)


def test_an_agent_says_what_was_chosen_for_it():
    env = eu.make_env("loop")
    said = repr(eu.make_agent("EUBRL", env, alpha=0.5, eta=2.0, discount=0.9))
    assert "DirichletTransitions(9, 2, alpha=0.5)" in said
    assert "eta=2.0" in said and "discount=0.9" in said
    assert "beta0=3.0" in repr(eu.make_agent("EUBRL", env, beta0=3.0))
    said = repr(eu.make_agent("EUBRL-frequentist", env, delta=0.25))
    assert "eta=TheoreticalEta(" in said and "delta=0.25" in said
    own = repr(eu.FrequentistEUBRL(2, 2, eta=lambda step: 1 / step))
    assert "eta=<function" in own and not ADDRESS.search(own)


@pytest.mark.parametrize("world", ["chain", "loop", "deepsea", "lazychain", "bandit"])
def test_worlds_beliefs_and_trajectories_say_what_they_are(world):
    env, agent, run = lived(world=world)
    for thing in (env, env.model, agent.belief, agent.belief.rewards, run):
        assert not ADDRESS.search(repr(thing)) and len(repr(thing)) < 300, repr(thing)
    assert f"{env.n_states} states" in repr(env)
    assert "30 transitions observed" in repr(agent.belief) and "30 steps" in repr(run)


class Coin(gymnasium.Env):
    """One state and two actions, without a name of its own in a registry."""

    observation_space, action_space = gymnasium.spaces.Discrete(1), gymnasium.spaces.Discrete(2)


def test_a_gymnasium_world_says_its_name_and_sizes():
    lake, coin = (eu.make_env(env) for env in (gymnasium.make("FrozenLake-v1"), Coin()))
    assert repr(lake) == str(lake) == "GymnasiumWorld(FrozenLake-v1, 16 states, 4 actions)"
    # Where ends are unknown, they are one more state.
    assert repr(coin) == "GymnasiumWorld(Coin, 2 states, 2 actions)"


@pytest.mark.parametrize("world", ["chain", "loop", "deepsea", "lazychain", "bandit"])
@pytest.mark.parametrize("name", ["EUBRL", "EUBRL-tied"])
def test_a_belief_alone_answers_as_the_agents_tables_do(world, name):
    if name == "EUBRL-tied" and world != "lazychain":
        pytest.skip("its prior is for the lazy chain")
    _, agent, _ = lived(name, world)
    belief = agent.belief
    tables = PosteriorPredictive(belief)
    mean = belief.mean_mdp()
    expected = tables.mean_mdp(tables.mean_reward)
    matrix = expected.transition_matrix()
    np.testing.assert_allclose(mean.transition_matrix(), matrix, atol=1e-14)
    np.testing.assert_allclose(mean.rewards, expected.rewards, atol=1e-14)
    np.testing.assert_allclose(belief.mean_transition(0, 0), matrix[0, 0], atol=1e-14)


def test_a_row_of_the_mean_takes_no_table_of_all_states():
    n_states = 300_000  # whose square is 700 GB
    belief = eu.Belief(eu.DirichletTransitions(n_states, 1), eu.NormalGammaRewards(n_states, 1))
    belief.update(0, 0, 1.0, 5)
    row = belief.mean_transition(0, 0)
    assert row.shape == (n_states,) and row.sum() == pytest.approx(1)
    alpha = belief.transitions.alpha
    assert row[5] / row[4] == pytest.approx((alpha + 1) / alpha)


def test_draws_from_a_belief_are_its_mean_on_average():
    _, agent, _ = lived(world="chain")
    rng = np.random.default_rng(0)
    draws = [agent.belief.sample_mdp(rng).transition_matrix() for _ in range(4000)]
    # A probability's deviation is at most 1/2: 5 standard errors.
    mean = agent.belief.mean_mdp().transition_matrix()
    np.testing.assert_allclose(np.mean(draws, axis=0), mean, atol=5 * 0.5 / np.sqrt(4000))


def test_a_pair_that_is_not_there_is_named():
    _, agent, _ = lived()
    with pytest.raises(ValueError, match="state must be an integer from 0 to 8, got -1"):
        agent.belief.mean_transition(-1, 0)


def test_a_store_is_read_as_a_table(tmp_path):
    path = tmp_path / "runs.sqlite"
    frame = eu.run_study("loop", ["RMAX"], [2], 3, store=path, progress=False)
    read = eu.read_store(path)
    pd.testing.assert_frame_equal(read[list(frame.columns)], frame)
    assert read.version.str.startswith(eu.__version__ + "+").all()
    with pytest.raises(FileNotFoundError, match="absent"):
        eu.read_store(tmp_path / "absent.sqlite")


def test_a_picture_of_ones_own_results():
    frame = pd.DataFrame(
        {
            "study": "mine",
            "agent": ["EUBRL", "EUBRL", "own", "own"] * 2,
            "size": [2] * 4 + [4] * 4,
            "seed": [0, 1] * 4,
            "steps": range(8),
            "solved": pd.array([True] * 8, dtype="boolean"),
            "total_return": np.arange(8.0),
        }
    )
    figure = eu.plot(frame)
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["EUBRL", "own"]
    line = axes.containers[0].lines[0]
    np.testing.assert_array_equal(line.get_xdata(), [2, 4])
    np.testing.assert_array_equal(line.get_ydata(), [0.5, 4.5])
    as_long = eu.plot(frame.assign(steps=9)[frame["size"] == 2], "return")
    assert as_long.axes[0].get_ylabel() == "return of a run"
    with pytest.raises(ValueError, match="got 0 to 3 steps in mine at size 2"):
        eu.plot(frame, "return")
    without_rule = frame.assign(solved=pd.array([pd.NA] * 8, dtype="boolean"))
    assert "steps" in eu.plot(without_rule).axes[0].get_ylabel()  # which differ
    long_name = eu.plot(frame.assign(study="a study " * 100_000)).axes[0].get_title()
    assert long_name.startswith("a study a study") and long_name.endswith("…")
    assert len(long_name) == 64
    for bad, said in ((frame.drop(columns="agent"), "column 'agent'"), (frame[:0], "at least one")):
        with pytest.raises(ValueError, match=said):
            eu.plot(bad)
    with pytest.raises(ValueError, match="unknown measure"):
        eu.plot(frame, "speed")
    early = frame.assign(return_1000=[np.nan, *range(7)])  # the one that was the fastest
    with pytest.raises(ValueError, match="return_1000 of every run, got 1 of 8 without, in mine"):
        eu.plot(early, "return_1000")
    other = frame.assign(study="other", solved=pd.NA)
    with pytest.raises(ValueError, match="solved of every run, got 8 of 16 without, in other"):
        eu.plot(pd.concat([frame, other]), "solved")


def test_a_picture_of_success_is_as_unsure_as_its_table():
    solved = [True] * 6 + [True, False] * 3
    frame = pd.DataFrame(
        {
            "study": "mine",
            "agent": ["EUBRL"] * 6 + ["own"] * 6,
            "size": 2,
            "seed": [*range(6)] * 2,
            "steps": [100 - seed if each else 100 for seed, each in enumerate(solved)],
            "solved": pd.array(solved, dtype="boolean"),
        }
    )
    for measure, which, expected in (
        ("solved", 0, wilson_interval(6, 6)),
        ("solved", 1, wilson_interval(3, 6)),
        ("steps", 1, cut_off_interval(frame.steps[6:], frame.solved[6:])),
    ):
        (axes,) = eu.plot(frame, measure).axes
        (bar,) = axes.containers[which].lines[2]
        low, high = bar.get_segments()[0][:, 1]
        np.testing.assert_allclose([low, high], [expected.low, expected.high])


@pytest.mark.long
def test_the_command_line_takes_settings_and_lists_agents(capsys):
    def ask(line):
        return main(line.split()), "".join(capsys.readouterr())

    status, listed = ask("studies --agents")
    assert status == 0 and all(f"{name} " in listed for name in eu.AGENT_NAMES)
    status, refused = ask("run loop --agents RMAX --seeds 1 --set eta=2")
    assert status == 2 and "RMAX has no bonus to scale" in refused
    status, refused = ask("run loop --agents RMAX --seeds 1 --set eta")
    assert status == 2 and "--set takes NAME=VALUE" in refused
    status, refused = ask("tune loop EUBRL --values etta=1,2")
    assert status == 2 and "Did you mean 'eta'" in refused
