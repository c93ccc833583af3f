"""One child process of the long test: many random settings through the engine, each noted first.

    python -m tests.engine.random_settings FIRST COUNT

A line for each setting goes out before the run and its end after it, so that a crash of the whole
process is traced to the setting that caused it.
"""

import json
import sys

import numpy as np

import eubrl_edu as eu
from eubrl_edu import engine
from eubrl_edu.environments import WORLDS
from eubrl_edu.experiments import AGENT_NAMES
from eubrl_edu.experiments.records import AGENTS

STEPS = 40
POSITIVE = ("eta", "alpha", "beta0", "lambda0", "tau", "r_max")
SHARES = ("learning_rate", "epsilon", "delta", "lambda_")
# Planned before the first step, for seconds: one in so many is enough.
SLOW, RARE = ("BEETLE", "BEETLE-tied"), 251
# Agents that have no compiled twin.
READABLE = ("BOSS", "Q-learning", *SLOW)


def random_number(rng: np.random.Generator) -> float:
    """Mostly of any order of magnitude that floats have, sometimes at an end of what is allowed."""
    special = (0.0, -1.0, 1e-50, 1e50, 5e-324, 1.7e308, 1 - 1e-12, 1.0, np.inf, np.nan)
    if rng.random() < 0.15:
        return float(rng.choice(special))
    widest = rng.choice([3, 50, 307])
    return float(10.0 ** rng.uniform(-widest, widest))


def random_share(rng: np.random.Generator) -> float:
    """Mostly in (0, 1], and of any order of magnitude."""
    return random_number(rng) if rng.random() < 0.15 else float(10.0 ** -rng.uniform(0, 20))


def random_case(number: int) -> dict:
    """A world, an agent and its settings, all by the number."""
    rng = np.random.default_rng(number)
    worlds, agents = list(WORLDS), [name for name in AGENT_NAMES if name not in SLOW]
    if number % RARE == 0:
        agents = [SLOW[number // RARE % len(SLOW)]]
    world, agent = worlds[number % len(worlds)], agents[number // len(worlds) % len(agents)]
    env = {"name": world}
    if world not in ("chain", "bandit"):
        env["size"] = int(rng.integers(1, 6))
    if world in ("deepsea", "lazychain"):
        env["stochastic"] = bool(rng.integers(2))
    settings = {name: random_number(rng) for name in POSITIVE if rng.random() < 0.4}
    settings |= {name: random_share(rng) for name in SHARES if rng.random() < 0.4}
    if rng.random() < 0.1:
        # Short, or longer than memory has room for: what lies between takes seconds a plan.
        orders = (0, 3) if rng.random() < 0.7 else (9, 20)
        settings["horizon"] = int(10 ** rng.uniform(*orders))
    if rng.random() < 0.3:
        settings["discount"] = float(1 - 10.0 ** rng.uniform(-17, 0))
    if rng.random() < 0.3:
        settings["plan_every"] = int(10 ** rng.uniform(0, 20)) if rng.random() < 0.7 else "episode"
    if rng.random() < 0.3:
        settings["known_after"] = int(10 ** rng.uniform(0, 20))
    if rng.random() < 0.3:
        models = ("outcome", "action", "normal", "known", "bernoulli")
        settings["reward_model"] = str(rng.choice(models))
    if rng.random() < 0.2:
        measures = ("variance", "mutual-information", "count")
        settings["uncertainty"] = str(rng.choice(measures))
    if rng.random() < 0.1:
        settings["clip_visited"] = bool(rng.integers(2))
    if rng.random() < 0.1:
        settings["n_models"] = int(10 ** rng.uniform(0, 4))
    # What an agent does not use is refused before anything else is looked at: mostly left out.
    used = AGENTS[agent].settings
    settings = {
        name: value for name, value in settings.items() if name in used or rng.random() < 0.02
    }
    return {"env": env, "agent": agent, "settings": settings, "seed": number}


def has_twin(case: dict) -> bool:
    """Whether a case must run compiled, if it is accepted."""
    settings = case["settings"]
    return (
        case["agent"] not in READABLE
        and "horizon" not in settings
        # Its η is then a function of the step.
        and (case["agent"] != "EUBRL-frequentist" or "lambda_" in settings)
        # That hangs on whether every reward of the world is 0 or 1.
        and settings.get("reward_model") != "bernoulli"
    )


def live(case: dict) -> str:
    """Run a case, compiled where that can be; "ok", or what a ``ValueError`` says."""
    try:
        env = eu.make_env(**case["env"])
        agent = eu.make_agent(case["agent"], env, **case["settings"])
        compiled = engine.why_not(agent, env) is None
        simulate = engine.simulate if compiled else eu.simulate
        trajectory = simulate(agent, env, STEPS, seed=case["seed"])
    except ValueError as error:
        return f"ValueError: {' '.join(str(error).split())}"
    assert len(trajectory) == STEPS
    assert np.isfinite(trajectory.rewards).all()
    assert set(trajectory.actions.tolist()) <= set(range(env.n_actions))
    return "ok, compiled" if compiled else "ok"


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:])
    for number in range(first, first + count):
        print(json.dumps({"number": number, **random_case(number)}), flush=True)
        print(live(random_case(number)), flush=True)
