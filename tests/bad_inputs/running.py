"""Runs: the two engines, the recorder, and worlds and agents that are one's own."""

import itertools
import math

import gymnasium
import numpy as np
import pandas as pd
import pytest

import eubrl_edu as eu
from eubrl_edu import engine
from eubrl_edu.experiments.tuning import tune
from eubrl_edu.labs import BeliefLab
from eubrl_edu.reproduction.reproduce import reproduce
from eubrl_edu.success import SuccessRule, SuccessWatch
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.values import (
    NEVER_NUMBERS,
    NOT_BOOLS,
    NOT_FINITE,
    NOT_POSITIVE_INTEGERS,
    not_indices,
)

LOOP = eu.make_env("loop")
NOT_STEPS = [*NOT_POSITIVE_INTEGERS, 10**9]
FLAGS = ("terminated", "truncated")
GOOD = "what was there"
NOT_SEEDS = [-1, 0.5, 2**63, *NEVER_NUMBERS]


class Anyone(eu.Agent):
    """An agent of one's own, without sizes: it takes the action that it is given."""

    def __init__(self, action=0):
        self.action, self.seen = action, []

    def act(self, state, rng):
        return self.action

    def observe(self, state, action, reward, next_state, terminated):
        self.seen.append((state, reward))


class Planner(eu.agents.PlanningAgent):
    """A planning agent of one's own, whose plan is what it is given."""

    def __init__(self, **arguments):
        if arguments:
            super().__init__(0.9)
            self.given = arguments["plan"]

    def plan(self, rng=None):
        return self.given

    def learn(self, state, action, reward, next_state):
        pytest.fail("nothing was to be learned")


class Showing(gymnasium.Env):
    """A world of four states that shows and pays what it is given."""

    observation_space = gymnasium.spaces.Discrete(4)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, first=0, shown=1, reward=0.0, terminated=False, truncated=False):
        self.first = first
        self.result = shown, reward, terminated, truncated, {}

    def reset(self, *, seed=None, options=None):
        return self.first, {}

    def step(self, action):
        return self.result


class Old(Showing):
    """A world of the time before Gymnasium: an end is one flag, and a start is no pair."""

    def __init__(self, which):
        super().__init__()
        if which == "reset":
            self.reset = lambda *, seed=None, options=None: 0
        else:
            self.result = 1, 0.0, False, {}


def agent():
    return eu.make_agent("EUBRL", LOOP)


def saving():
    """Runs through more places of a control than can be listed."""
    for values in (range(10**9), itertools.repeat(1)):
        for what, file in (("save_page", "page.html"), ("save_run", "run.gif")):
            yield Row(
                f"lab.{what}(over={{'seen_a': {values}}})",
                lambda w=what, f=file, v=values: getattr(BeliefLab(), w)(f, over={"seen_a": v}),
                "over must hold at most 1,000 values of seen_a, got",
            )  # fmt: skip
    for prediction in (3, "more", BeliefLab):
        yield Row(
            f"BeliefLab(prediction={prediction!r})", lambda p=prediction: BeliefLab(prediction=p),
            "prediction must be a Choice or a Number, got",
        )  # fmt: skip


def rows():
    yield from kinds()
    yield from saving()
    other = eu.make_agent("EUBRL", eu.make_env("chain"))
    for title, simulate in (("simulate", eu.simulate), ("engine.simulate", engine.simulate)):
        untouched = agent()
        yield from systematic(
            title, simulate, {"agent": untouched, "env": LOOP, "steps": 3, "seed": 0},
            {
                "agent": {"agent|no compiled twin": [None, "EUBRL", other, LOOP]},
                "env": {"world|env": [None, "loop", gymnasium.make("CartPole-v1")]},
                "steps": NOT_STEPS, "seed": NOT_SEEDS, "until": [3, "end", True, lambda: True],
            },
            keeps=lambda a=untouched: (a.belief.visits, a.current_plan),
        )  # fmt: skip
    untouched = agent()
    yield from systematic(
        "simulate", eu.simulate, {"agent": untouched, "env": LOOP, "steps": 3},
        {"record_plans": {"record_plans": ["no", None, 1]}}, lambda: untouched.belief.visits,
    )  # fmt: skip
    for answer in ("no", 1, np.array([1, 2])):
        yield Row(
            f"simulate(until=lambda step: {answer!r})",
            lambda a=answer: eu.simulate(agent(), LOOP, 3, 0, until=lambda step: a),
            "until must return True or False",
        )  # fmt: skip
    for horizon in (0, -1, 2.5, "3", True):
        with_it = type("Own", (eu.QLearning,), {"horizon": horizon})(LOOP.n_states, LOOP.n_actions)
        yield Row(
            f"simulate(an agent of one's own with horizon {horizon!r})",
            lambda own=with_it: eu.simulate(own, LOOP, 3),
            "the agent's horizon must be an integer of at least 1, got",
        )  # fmt: skip
    yield Row("simulate(env, agent)", lambda: eu.simulate(LOOP, agent(), 3), "agent .* comes first")
    yield Row(
        "simulate(record_plans, 10**7 steps)",
        lambda: eu.simulate(agent(), LOOP, 10**7, record_plans=True), "plans can be recorded up to",
    )  # fmt: skip
    yield from own()
    yield from many()
    yield from success()
    yield from tables()


def many():
    """More runs than can be waited for: refused before the first, and before memory goes."""
    one = {"study": "loop", "agents": ["EUBRL"], "seeds": 1, "progress": False}
    settings = {
        rf"\b{name}\b": [{name: bad} for bad in ([0.5], np.array([0.5, 1.0]), [], "0.5")]
        for name in ("eta", "discount", "learning_rate", "known_after", "plan_every",
                     "reward_model")
    }  # fmt: skip
    no_makers = [{"mine": None}, {"RMAX": None}, {"mine": "EUBRL"}, {"RMAX": 3}]
    yield from systematic(
        "run_study", eu.run_study, one,
        {"progress": NOT_BOOLS,
         "agents": {"what makes the agent '(mine|RMAX)' must be a class": no_makers},
         "settings": settings},
    )  # fmt: skip
    yield from systematic(
        "reproduce", reproduce, {"out": "new"},
        {"quick": NOT_BOOLS, "progress": NOT_BOOLS, "n_jobs": [0, -2, 1.5, "2", None]},
    )  # fmt: skip
    too_many = [10**6 + 1, 10**9, 2**63, range(10**9), range(10**30), itertools.count()]
    yield from systematic(
        "run_study", eu.run_study, one,
        {"seeds": {"seeds must .*at most": too_many},
         "agents": {"agents must hold at most 1,000": [map(str, range(10**9))]}},
    )  # fmt: skip
    yield from systematic(
        "run_study", eu.run_study, one | {"study": "loop-scaling"},
        {"sizes": {"sizes must hold at most 1,000": [range(1, 10**9), itertools.count(1)],
                   "size must be": [[0], [-1], [1.5], ["2"], [True], [None], [2**63]]},
         "settings": {"settings must be a mapping": ["eta", 3, 0, [], [3], [("eta", 1)], {"eta"}],
                      "unknown setting": [{3: 1}, {"bogus": 1}, {None: 1}]}},
    )  # fmt: skip
    growing = eu.Study("mine", "loop", 10**8, sizes=(1,), steps_exponent=1)
    for store in (None, "runs.sqlite"):
        yield Row(
            f"run_study at a size of too many steps, store={store!r}",
            lambda store=store: eu.run_study(**one | {"study": growing, "store": store}, sizes=[9]),
            "steps must be at most 100,000,000 in a run, got 900,000,000 for 'mine' at size 9",
        )
    yield Row(
        "run_study(2 agents, a million seeds)",
        lambda: eu.run_study(**one | {"agents": ["EUBRL", "RMAX"], "seeds": 10**6}),
        "seeds must be at most 500,000 for each of 2 combinations",
    )
    study = {"name": "loop", "environment": "loop", "steps": 3}
    yield from systematic(
        "Study", eu.Study, study,
        {"n_seeds": [0, None, 10**6 + 1, 10**9], "sizes": [itertools.count(1), range(1, 10**9)]},
    )  # fmt: skip
    tuned = {"study": "loop", "agent": "EUBRL", "progress": False}
    yield from systematic(
        "tune", tune, tuned,
        {"progress": NOT_BOOLS, "every_combination": NOT_BOOLS,
         "seeds": {"seeds must .*at most": too_many},
         "grid": {"the grid of eta must hold at most 1,000": [{"eta": range(1, 10**9)}]}},
    )  # fmt: skip
    grid = {"eta": range(1, 1001), "alpha": [0.1, 0.2]}
    yield Row(
        "tune(1000 by 2 combinations, 1000 seeds)",
        lambda: tune(**tuned, seeds=1000, grid=grid, every_combination=True),
        "seeds must be at most 500 for each of 2,000 combinations",
    )


def tables():
    """What is no table of runs, or lacks a column."""
    run = {"study": "loop", "agent": "RMAX", "size": 2, "seed": 0, "steps": 9, "episodes": 1}
    run |= {"solved": True, "total_return": 3.0, "return_1000": None}
    for title, function, last in (("summarise", eu.summarise, "solved"), ("plot", eu.plot, "seed")):
        incomplete = {
            f"frame must have the column '{name}'": [pd.DataFrame([run]).drop(columns=name)]
            for name in ("study", "agent", "size", "steps", last)
        }
        yield from systematic(
            title, function, {},
            {"frame": {"frame must be a table of runs": [None, 3, "runs", {}, [run]]} | incomplete},
        )  # fmt: skip
    frame = pd.DataFrame([run, run | {"seed": 1}])
    no_counts = [-1, None, math.nan, math.inf, 10**400, "x", 1j, [1]]
    held = {
        "study": [None, math.nan, "", " ", 3, ["loop"]], "agent": [None, "", 3, {"RMAX": 1}],
        "size": [0, 2.5, *no_counts], "seed": [0.5, *no_counts], "steps": no_counts,
        "episodes": no_counts, "solved": [7, -3.5, 0.5, "yes", [True], 1j, np.ones(2)],
        "total_return": no_counts[1:], "return_1000": [math.inf, 10**400, "x", 1j, [1]],
    }  # fmt: skip
    for title, function, columns in (
        ("summarise", eu.summarise, held),
        ("plot", eu.plot, ("study", "agent", "size", "seed", "steps", "solved")),
        ("plot the return of", lambda frame: eu.plot(frame, "return"), ["total_return"]),
    ):
        yield from systematic(
            title, lambda function=function, **held: function(with_values(frame, held)), {},
            {name: {f"each value in the column '{name}' of frame must be": both(held[name])}
             for name in columns},
        )  # fmt: skip
        for name in columns:
            for what, table in (
                ("twice", pd.concat([frame, frame[name]], axis=1)),
                ("as index too", frame.set_index(name, drop=False)),
            ):
                yield Row(
                    f"{title} a table with {name} {what}", lambda f=function, t=table: f(t),
                    f"frame must have the column '{name}' once, and no index",
                )  # fmt: skip


def both(values):
    """What two rows hold where both are bad, and where the second one is."""
    return [pair for bad in values for pair in ([bad, bad], [GOOD, bad])]


def with_values(frame, held):
    """The table with these objects in a column, as they are."""
    ((name, values),) = held.items()
    values = [frame[name][0] if value is GOOD else value for value in values]
    return frame.assign(**{name: pd.Series(values, dtype=object)})


def success():
    """Rules of success that are none, and what a study's function makes in place of one."""
    pairs = [3, (0,), (0, 1, 2), "01", (-1, 0), (0, -1), ("a", 1), (0, None), (0.5, 1)]
    lists = [None, 3, "01", [-1], [0.5], ["0"], [[0]], [0, 1]]
    yield from systematic(
        "SuccessRule", SuccessRule, {"states": [0], "right_actions": [1]},
        {"optimal_reward": NOT_FINITE[1:], "episode_return": NOT_FINITE[1:], "last_pair": pairs,
         "states": lists, "right_actions": lists, "nearly_at": [-1, 0.5, "0", [0]]},
    )  # fmt: skip
    yield from systematic(
        "SuccessWatch", SuccessWatch, {"agent": agent(), "rule": SuccessRule(nearly_at=0)},
        {"rule": [None, 3, SuccessRule], "agent": [None, 5, "RMAX", LOOP, eu.EUBRL]},
    )  # fmt: skip
    yield Row(
        "SuccessWatch(a rule of actions, an agent without a plan)",
        lambda: SuccessWatch(SuccessRule(states=[0], right_actions=[1]), Anyone()),
        "agent must have a current_plan, as this world .* right, got Anyone",
    )  # fmt: skip
    others = [
        SuccessRule(last_pair=(9, 0)), SuccessRule(last_pair=(0, 2)), SuccessRule(nearly_at=9),
        SuccessRule(states=[9], right_actions=[0]), SuccessRule(states=[0], right_actions=[2]),
    ]  # fmt: skip
    for rules, names in (
        ([None, 3, "rule", {}, SuccessRule], "success of 'mine' must make a SuccessRule, got"),
        (others, "success of 'mine' makes a rule of another world: .* from 0 to [18]"),
    ):
        for rule in rules:
            yield Row(
                f"run_study of a success that makes {rule!r}",
                lambda rule=rule: eu.run_study(
                    eu.Study("mine", "loop", 9, success=lambda world: rule), ["RMAX"], seeds=1,
                    progress=False,
                ), names,
            )  # fmt: skip
    for title, simulate in (("simulate", eu.simulate), ("engine.simulate", engine.simulate)):
        runs = agent()
        keeps = lambda runs=runs: (runs.belief.visits, runs.current_plan)  # noqa: E731
        for watch, names in (
            *((SuccessWatch(rule, runs), "from 0 to [18]") for rule in others),
            (SuccessWatch(SuccessRule(nearly_at=0), agent()),
             "until must be a SuccessWatch of the agent that runs, got one of another, EUBRL"),
        ):  # fmt: skip
            yield Row(
                f"{title}(until a watch of {watch.rule} ends it)",
                lambda s=simulate, a=runs, w=watch: s(a, LOOP, 3, 0, until=w), names, keeps=keeps,
            )  # fmt: skip


def own():
    """What a world or an agent of one's own must not do: nothing of it is observed."""
    watching = Anyone()
    no_observation = {
        "observation must be an integer from 0 to 3": [*not_indices(4), 99, np.ones(4)]
    }
    yield from systematic(
        "a world that shows or pays",
        lambda **shown: eu.simulate(watching, Showing(**shown), 2), {},
        {"first": no_observation, "shown": no_observation,
         "reward": {"reward must be": [*NOT_FINITE, 1e200]}}
        | {flag: {f"{flag} must be True or False": NOT_BOOLS} for flag in FLAGS},
        keeps=lambda: watching.seen,
    )  # fmt: skip
    yield from systematic(
        "GymnasiumWorld of a world with",
        lambda **shown: eu.simulate(Anyone(), eu.make_env(Showing(**shown)), 2), {},
        {flag: {f"the environment's {flag} must be True or False": NOT_BOOLS} for flag in FLAGS},
    )  # fmt: skip

    another = Anyone()

    def does(action):
        another.action = action
        eu.simulate(another, Showing(), 2)

    yield from systematic(
        "an agent that does", does, {},
        {"action": {"the agent's action must be an integer from 0 to 1": [*not_indices(2), 99]}},
        keeps=lambda: another.seen,
    )  # fmt: skip
    for which, parts in {"reset": 2, "step": 5}.items():
        someone = Anyone()
        yield Row(
            f"an old world's {which}", lambda a=someone, w=which: eu.simulate(a, Old(w), 2),
            f"the world's {which} must return a tuple of {parts}", keeps=lambda a=someone: a.seen,
        )  # fmt: skip
        yield Row(
            f"GymnasiumWorld of an old world's {which}",
            lambda w=which: eu.simulate(Anyone(), eu.make_env(Old(w)), 2),
            f"the environment's {which} must return a tuple of {parts}",
        )
    yield Row(
        "a planning agent without super().__init__()", lambda: eu.simulate(Planner(), LOOP, 2),
        r"Planner\.__init__ must call super\(\)\.__init__",
    )  # fmt: skip
    for plan in (None, 3, LOOP.model):
        yield Row(
            f"an agent whose plan is {plan!r}",
            lambda plan=plan: eu.simulate(Planner(plan=plan), LOOP, 2),
            r"Planner\.plan must return a Plan, got",
        )  # fmt: skip
    yield Row(
        "an agent of one's own on CartPole",
        lambda: eu.simulate(Anyone(), gymnasium.make("CartPole-v1"), 2),
        "observation_space must be Discrete",
    )


def kinds():
    """What has no plan or no spaces, and tables of text."""
    yield Row(
        "simulate(record_plans) of an agent without plans",
        lambda: eu.simulate(Anyone(), LOOP, 3, record_plans=True), "record_plans must be False",
    )  # fmt: skip
    yield Row(
        "simulate in an Env without spaces", lambda: eu.simulate(Anyone(), gymnasium.Env(), 3),
        "observation_space must be Discrete, got None",
    )  # fmt: skip
    frame = eu.run_study("loop", ["RMAX"], seeds=1, progress=False)
    for what, table, names in (
        ("no run", frame[:0], "frame must hold at least one run, got none"),
        ("a run twice", pd.concat([frame, frame]),
         "each run once, got several of RMAX in loop at size 2 with seed 0"),
    ):  # fmt: skip
        yield Row(f"summarise({what})", lambda t=table: eu.summarise(t), names)
    yield Row(
        "plot(a run twice)", lambda: eu.plot(pd.concat([frame, frame])), "frame must hold each run"
    )
    one = eu.make_agent("EUBRL", eu.make_env("loop", size=2))
    yield Row(
        "run_study of what makes the same agent for every run",
        lambda: eu.run_study("loop", {"mine": lambda env: one}, seeds=2, progress=False),
        "'mine' must return a new agent at each call", keeps=lambda: one.belief.visits,
    )  # fmt: skip
