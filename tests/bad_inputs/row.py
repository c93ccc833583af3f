"""One row of the table of bad inputs."""

from collections.abc import Callable, Iterator
from typing import NamedTuple


class Row(NamedTuple):
    """A call that must be refused.

    Attributes
    ----------
    what : str
        The call, as one would write it.
    call : callable
        Makes it.
    names : str
        A regular expression that the message matches: the argument, and what is allowed.
    error : type
        The type of the error, and no other.
    keeps : callable or None
        Returns what must be the same before and after, to the byte of its pickle.
    """

    what: str
    call: Callable[[], object]
    names: str
    error: type = ValueError
    keeps: Callable[[], object] | None = None


def systematic(
    title: str, function: Callable, good: dict, bad: dict, keeps: Callable | None = None
) -> Iterator[Row]:
    """A row for each argument and each of its bad values, all others being right.

    Parameters
    ----------
    title : str
        What the function is called.
    function : callable
        Called with keyword arguments.
    good : dict
        Arguments with which it is right.
    bad : dict
        For some of them what they cannot be, and before it what the message must match: the
        argument's name by default, or ``{regex: values}``.
    keeps : callable, optional
        As in `Row`.
    """
    for argument, values in bad.items():
        groups = values if isinstance(values, dict) else {rf"\b{argument}\b": values}
        for names, group in groups.items():
            for value in group:
                yield Row(
                    f"{title}({argument}={value!r})",
                    lambda argument=argument, value=value: function(**{**good, argument: value}),
                    names,
                    keeps=keeps,
                )
