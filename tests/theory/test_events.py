import numpy as np
import pytest

from eubrl_edu import theory
from eubrl_edu.theory.events import _sum_events
from eubrl_edu.trajectory import Trajectory
from tests.theory.worlds import RandomWorld, least_likely, run_of

NAMES = ["A1", "A2", "A3", "A4", "A5", "A6", "A5_mirror", "A7", "A8"]


def by_definition(run, world, discount, delta, lambda_, epsilon):
    """Every inequality of "High Probability Events", summed up as printed (ν_t as offset)."""
    values = theory.run_values(run, world, discount=discount, delta=delta, lambda_t=lambda_)
    frame = theory.decompose(run, world, discount=discount, delta=delta, lambda_t=lambda_)
    n_states, n_actions = world.n_states, world.n_actions
    true, mean = world.model.transition_matrix(), world.model.rewards
    r_max = values.problem.r_max
    v_max, pairs = r_max / (1 - discount), n_states * n_actions
    l1 = np.log(24 * pairs / delta)
    v = values.optimal
    steps = len(run)
    out = {name: np.full(steps, np.inf) for name in NAMES}

    def least(name, step, margin):
        out[name][step] = min(out[name][step], margin)

    for step in range(steps):
        for s, a in np.ndindex(n_states, n_actions):
            past = [i for i in range(step) if (run.states[i], run.actions[i]) == (s, a)]
            n = len(past)
            if n == 0:
                continue
            p_hat = np.bincount(run.next_states[past], minlength=n_states) / n
            r_hat = run.rewards[past].mean()
            p = true[s, a]
            variance = p @ v**2 - (p @ v) ** 2
            l3 = np.log(12 * pairs * (1 + np.log(n)) / delta)
            least(
                "A1",
                step,
                lambda_ / (4 * v_max) * variance
                + 3 * v_max * l1 / (lambda_ * n)
                - abs((p_hat - p) @ v),
            )
            least("A2", step, variance / 2 + 6 * v_max**2 * l1 / n - (p - p_hat) @ v**2)
            for to in range(n_states):
                allowed = 2 * np.sqrt(2 * p[to] * l3 / n) + 2 * l3 / (3 * n)
                least("A3", step, allowed - abs(p_hat[to] - p[to]))
            allowed = lambda_ * mean[s, a] + r_max * l1 / (lambda_ * n)
            least("A4", step, allowed - abs(r_hat - mean[s, a]))
    j = _j_of_steps(values, world, run, delta, lambda_, frame)
    all_steps = np.ones(steps, dtype=bool)
    bad = np.array([j[t][run.states[t]] > epsilon / 4 for t in range(steps)])
    for counted, names in ((all_steps, ("A5", "A6", "A5_mirror")), (bad, ("A7", "A8"))):
        margins = sums_by_definition(run, world, np.array(j), counted, discount, delta, v_max)
        out.update(zip(names, margins, strict=False))
    return out


def sums_by_definition(run, world, j, counted, discount, delta, v_max):
    """A5, A6 and the mirror of A5, with the counted steps as anchors and as visits."""
    steps, true = len(run), world.model.transition_matrix()
    difference, square, spread, alive = 0.0, 0.0, 0.0, {}
    visits = np.zeros(true.shape[:2])
    margins = np.empty((3, steps))
    scale, doubt = v_max / (1 - discount), np.log(6 / delta)
    for t in range(steps):
        pair = run.states[t], run.actions[t]
        if counted[t]:
            alive[t] = visits.copy()
            visits[pair] += 1
        alive = {tau: n for tau, n in alive.items() if visits[pair] <= 2 * n[pair]}
        y = np.zeros(true.shape[0])
        for tau in alive:
            y = y + discount ** (t - tau + 1) * j[tau]
        p, reached = true[pair], y[run.next_states[t]]
        difference += p @ y - reached
        square += p @ y**2 - reached**2
        spread += p @ y**2 - (p @ y) ** 2
        allowed = spread / (8 * scale) + 6 * scale * doubt
        margins[:, t] = (
            allowed - difference,
            spread / 4 + 12 * scale**2 * doubt - square,
            allowed + difference,
        )
    return margins


@pytest.mark.parametrize("discount", [0.0, 0.3, 0.9])
def test_sums_over_some_steps_only(discount):
    """Runs are too short for J to fall below ε/4, so J and the bad steps are made up here."""
    world = RandomWorld(3, 2, seed=8)
    run = run_of("frequentist", world, 80, eta=2.0, discount=discount)
    values = theory.run_values(run, world, discount=discount, delta=0.3)
    rng = np.random.default_rng(1)
    j = rng.random((80, 3)) * values.problem.v_max
    for counted in (rng.random(80) < 0.4, rng.random(80) < 0.9, np.zeros(80, dtype=bool)):
        found = _sum_events(values, run, j, counted)
        v_max = values.problem.v_max
        expected = sums_by_definition(run, world, j, counted, discount, 0.3, v_max)
        np.testing.assert_allclose(found, expected, atol=1e-9)


def _j_of_steps(values, world, run, delta, lambda_, frame):
    problem = values.problem
    found, counts = [], np.zeros_like(world.model.rewards)
    for step, plan in enumerate(run.plans):
        p_u = plan.probability_of_uncertainty
        bonus = p_u * plan.epistemic_uncertainty
        beta = theory.error_terms(problem, counts, bonus, p_u, lambda_)
        policy = plan.q.argmax(axis=1)
        policy[run.states[step]] = run.actions[step]
        found.append(
            theory.bellman_like(world.model, policy, beta, problem.discount, problem.v_max)
        )
        counts[run.states[step], run.actions[step]] += 1
    return found


@pytest.mark.parametrize("delta", [0.1, 1.0])
@pytest.mark.parametrize("honest", [True, False])
def test_events_by_definition(delta, honest):
    """Also on a run whose luck is made up, so that the inequalities fail here and there."""
    world = RandomWorld(3, 2, seed=8)
    run = run_of("frequentist", world, 90, eta=2.0, discount=0.5)
    if not honest:
        worst = least_likely(run, world)
        run = Trajectory(
            run.states, run.actions, np.ones(90), worst, run.terminated, run.episode_ends, run.plans
        )
    expected = by_definition(run, world, 0.5, delta, 0.3, 1.5)
    settings = {"discount": 0.5, "delta": delta, "lambda_t": 0.3, "epsilon": 1.5}
    found = theory.event_margins(run, world, **settings)
    assert list(found.columns) == NAMES
    for name in NAMES:
        np.testing.assert_allclose(found[name], expected[name], atol=1e-9, err_msg=name)
    held = theory.events(run, world, **settings)
    np.testing.assert_array_equal(held, found >= 0)
    assert held.to_numpy().all() == honest


def test_without_epsilon_there_is_nothing_about_bad_steps():
    world = RandomWorld(3, 2, seed=8)
    run = run_of("frequentist", world, 20, eta=2.0)
    assert list(theory.events(run, world, discount=0.9).columns) == NAMES[:7]
    with pytest.raises(ValueError, match="epsilon must be at most"):
        theory.events(run, world, discount=0.9, epsilon=11)


def test_lambda_by_step_looks_at_every_pair_again():
    world = RandomWorld(3, 2, seed=8)
    run = run_of("frequentist", world, 60, eta=2.0)
    lambdas = np.linspace(0.3, 0.9, 60)
    found = theory.event_margins(run, world, discount=0.9, lambda_t=lambdas)
    for step in (0, 20, 59):
        steady = theory.event_margins(run, world, discount=0.9, lambda_t=lambdas[step])
        for name in ("A1", "A2", "A3", "A4"):
            assert found[name].iloc[step] == steady[name].iloc[step]
