"""What things are called in pictures and words: worlds, states on an axis, actions, numbers."""

from collections.abc import Iterable, Sequence

from eubrl_edu.environments import Bandit, Chain, DeepSea, LazyChain, Loop
from eubrl_edu.environments.tabular import TabularEnvironment

MOST_LETTERS = 64  # as many as the longest title of a world has


def as_written(name: str) -> str:
    """A name as Matplotlib is to be given it, for which dollar signs would begin a formula.

    A name that would leave no room for the picture is cut short.
    """
    name = name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"
    return name.replace("$", r"\$")


def percent(share: float) -> str:
    """A share in whole percent, of which 0 and 100 are kept for none and all."""
    if share < 0.01:
        return "under 1%" if share > 0 else "0%"
    return f"{share:.0%}" if share <= 0.99 or share == 1 else "over 99%"


def world_title(env: TabularEnvironment) -> str:
    """The world in a few words: its name, its size and what pays."""
    if type(env) is Chain:
        return "Chain: left pays 2, right at the far end pays 10"
    if type(env) is Loop:
        return f"Loop, {counted(env.size, 'loop')}"
    if type(env) is Bandit:
        return "Bandit: two arms"
    if type(env) not in (LazyChain, DeepSea):  # one of a learner's own goes by its own name
        return env.spec.id if env.spec else type(env.unwrapped).__name__
    variant = "stochastic " if env.stochastic else ""
    if type(env) is LazyChain:
        pays = f"ends pay {env.size - 1} and {2 * env.size - 1}, a move costs 1"
        return f"{variant.capitalize()}LazyChain {env.size}: {pays}".replace("c LazyC", "c lazy c")
    return f"{variant.capitalize()}DeepSea {env.size}"


def state_ticks(env: TabularEnvironment) -> tuple[list[float], list[str]]:
    """Places and labels for an axis of states: all their names, or only those worth naming."""
    names = [as_written(name) for name in env.state_names]
    if len(names) <= 9 and all(len(name) < 6 for name in names):
        return list(range(len(names))), names
    if names[0] == "start":  # the loops: one label under the four states of each
        loops = (len(names) - 1) // 4
        places = [0.0, *(4 * loop + 2.5 for loop in range(loops))]
        few = loops <= 4
        return places, ["start", *(f"in loop {k}" if few else str(k) for k in range(loops))]
    middle = (len(names) - 1) // 2
    return [0, middle, len(names) - 1], [names[0], names[middle], names[-1]]


def shown_actions(env: TabularEnvironment, state: int) -> list[int]:
    """The actions of a state in the order in which they are drawn: the sea's by where they go."""
    if isinstance(env, DeepSea) and state not in env.terminal_states:
        right = int(env.right_action.flat[state])
        return [1 - right, right]
    return list(range(env.n_actions))


def shown_action_names(env: TabularEnvironment) -> Sequence[str]:
    """Names for `shown_actions`."""
    return ("goes left", "goes right") if isinstance(env, DeepSea) else env.action_names


def name_of_action(env: TabularEnvironment, state: int, action: int) -> str:
    """The name of an action; in the sea also what it does, which the agent has to find out."""
    if not isinstance(env, DeepSea):
        return env.action_names[action]
    return f"{action} ({shown_action_names(env)[shown_actions(env, state).index(action)]})"


def in_powers(value: float) -> str:
    """A number for the eye: 152, 20,000, 2.1·10⁸."""
    if value == 0:
        return "0"
    digits, power = f"{value:.1e}".split("e")
    if -4 < int(power) < 5 and round(value) < 100_000:
        text = f"{value:,.{max(0, 2 - int(power))}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    superscript = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits}·10{superscript}"


def in_two_digits(number: float) -> str:
    """Two digits, and from 100 on all that stand before the point."""
    return f"{number:.2g}" if abs(number) < 99.5 else f"{number:.0f}"


def in_a_row(names: Iterable[str]) -> str:
    """Names as a sentence lists them: EUBRL, PSRL and BEB; of none, nothing."""
    *first, last = list(names) or [""]
    return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, thing: str) -> str:
    """A number of things, in the singular where it is one."""
    return f"{number} {things(number, thing)}"


def things(number: float, thing: str) -> str:
    """What there is of a number of things: one thing, or several things."""
    if number == 1:
        return thing
    return f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
