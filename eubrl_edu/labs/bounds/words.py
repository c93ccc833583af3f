"""A bound in words: its parts, which of them leads where, where it says less than one knew."""

from eubrl_edu.labs.bounds.changes import largest_term
from eubrl_edu.labs.bounds.scene import OWN, RUN_DELTA, RUN_STEPS, THEOREM, State
from eubrl_edu.plotting.names import in_powers, things

TERM_NAMES = {
    "guided": "the luck of the draws (less what resistance takes off)",
    "learning": "learning",
    "lower_order": "the lower-order term",
    "remainder": "the remainder",
    "leading": "the 1/ε² part",
    "transition_prior": "the prior over next states",
    "reward_prior": "the prior over rewards",
}

OPEN = "(For an agent that plans at every step, parts of the proof are still open.)"


def describe(state: State) -> str:
    """The numbers of the picture, in words."""
    prior = [_prior(state)] if state.params.agent == OWN else []
    lines = [_bound(state), *prior, _parts(state), _where(state), _silence(state), _run(state)]
    return "\n".join(lines)


def _bound(state: State) -> str:
    params, bound = state.params, in_powers(state.here["bound"])
    sizes = (
        f"S = {params.n_states}, A = {params.n_actions}, γ = {params.discount:g},"
        f" δ = {in_powers(float(f'{params.delta:.2g}'))}"
    )
    if state.is_regret:
        return (
            f"{sizes}. After T = {in_powers(params.steps)}"
            f" {things(params.steps, 'step')}, the paper states, the regret is"
            f" at most {bound} R_max, with {_confidence(params.delta)}. Without theory one knows"
            f" that it is at most T·V↑ = {in_powers(state.here['trivial'])} R_max. {OPEN}"
        )
    return (
        f"{sizes}. The paper states that at most {bound} steps are worse than ε ="
        f" {in_powers(params.epsilon)} R_max, with {_confidence(params.delta)}. Without theory one"
        f" knows only that there are no more than T = {in_powers(params.steps)} in all. {OPEN}"
    )


def _prior(state: State) -> str:
    if not state.has_prior:
        return "What your prior adds is drawn for the regret only."
    params, constants = state.params, state.params.prior
    added = state.here["transition_prior"] + state.here["reward_prior"]
    words = (
        f"Your prior: α = {in_powers(params.alpha)} and τ = {in_powers(params.tau)}, so Λ_T ="
        f" {in_powers(constants.transitions)} and Λ_R = {in_powers(constants.rewards)}. They add"
        f" {in_powers(added)} to what the paper states without a prior, and a prior never takes"
        " anything off."
    )
    if params.eta < state.eta_of_theorem:
        words += (
            f" For this T the theorem takes η = {in_powers(state.eta_of_theorem)} R_max"
            " where visits are counted, and more to cover the error of a prior. It promises nothing"
            " to an agent with a smaller η, such as yours."
        )
    return words


def _confidence(delta: float) -> str:
    if delta == 1:
        return "probability 0 or more: δ = 1 promises nothing"
    shown = float(f"{delta:.2g}")
    return f"probability at least {1 - (shown if shown < 1 else delta):.7g}"


def _parts(state: State) -> str:
    parts = {name: state.here[name] for name in state.terms}
    each = "; ".join(
        f"{TERM_NAMES[name]} {in_powers(value)} ({value / state.here['bound']:.1%})"
        for name, value in sorted(parts.items(), key=lambda part: -part[1])
    )
    return f"Its parts: {each}."


def _where(state: State) -> str:
    first, last = state.places[0], state.places[-1]
    # The axis of ε runs from large to small.
    after, until = ("from T", "up to T") if state.is_regret else ("below ε", "down to ε")
    words = []
    for stretch in state.stretches:
        ends = [] if stretch.start == first else [f"{after} = {in_powers(stretch.start)}"]
        ends += [] if stretch.end == last else [f"{until} = {in_powers(stretch.end)}"]
        words.append(f"{TERM_NAMES[stretch.name]} {' '.join(ends) or 'everywhere'}")
    here = largest_term({name: state.here[name] for name in state.terms})
    return f"The largest part is {'; '.join(words)}. Here it is {TERM_NAMES[here]}."


def _silence(state: State) -> str:
    spoken = state.here["bound"] < state.here["trivial"]
    ratio = in_powers(state.here["bound"] / state.here["trivial"])
    here = (
        "Here the bound says something"
        if spoken
        else f"Here it is {ratio} times {'T·V↑' if state.is_regret else 'T'}"
    )
    if state.is_regret:
        edge = in_powers(state.speaks_from)
        return f"Below T = {edge} the bound says less than T·V↑ does. {here}."
    if state.speaks_from is None:
        always = state.total[0] < state.trivial[0]
        word = "lower" if always else "higher"
        return f"At every ε shown the bound is {word} than T steps. {here}."
    return (
        f"Only down to ε = {in_powers(state.speaks_from)} is the bound lower than T steps. {here}."
    )


def _run(state: State) -> str:
    run = state.run
    if run is None:
        return "The run for this γ is being computed."
    of_delta = f", for δ = {RUN_DELTA:g}" if run.agent == THEOREM else ""
    words = (
        f"A real run of {RUN_STEPS:,} steps, {run.agent} (η = {in_powers(run.eta)} R_max{of_delta})"
        f" in {run.world}"
    )
    if state.is_regret:
        measured = float(run.regret.sum())
        words += f", has a regret of {in_powers(measured)} R_max."
    else:
        measured = int(run.bad_steps(state.params.epsilon))
        words += f", has {measured:,} {things(measured, 'step')} worse than ε."
    if not state.fits:
        return (
            f"{words} That world has S = {run.n_states} and A = {run.n_actions}: the bound shown"
            " is for other worlds."
        )
    # The theorem's η hangs on δ, and that for the bad steps on ε in place of the steps.
    if run.agent == THEOREM and (state.params.delta != RUN_DELTA or not state.is_regret):
        return f"{words} The bound shown is for an agent with another η."
    if measured > 0:
        words += f" The bound for it is {in_powers(state.bound_of_run / measured)} times that."
    if measured < state.lowest_of_run:
        words += (
            " (The order of the lower bound is above the run's own value. That is no"
            " contradiction: the lower bound is for the hardest worlds.)"
        )
    return words
