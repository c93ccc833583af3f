"""One row of the table of bad inputs and faults."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import pytest


class Place(NamedTuple):
    """Where a value is asked for: what is right, and what was tried by hand.

    Attributes
    ----------
    what : str
        The function and its argument.
    call : callable
        Makes the call with a value in this place, all others being right.
    names : str
        What the message must match, as in `Row`.
    tried : tuple
        Values that are refused.
    keeps : callable or None
        As in `Row`.
    """

    what: str
    call: Callable[[object], object]
    names: str
    tried: tuple
    keeps: Callable[[], object] | None


class Row(NamedTuple):
    """A call that must be refused, or that something comes in the way of; or that is taken.

    Attributes
    ----------
    what : str
        The call, as one would write it.
    call : callable
        Makes it, in an empty folder.
    names : str
        A regular expression that the message matches: the argument, and what is allowed. Where
        no error is to come, the result matches it.
    error : type or None
        The type of the error, and no other; None where the call is to be taken.
    keeps : callable or None
        Returns what must be the same before and after, to the byte of its pickle. So must be
        every file of the folder.
    given : callable
        Returns the context in which the call is made: what is there already, or out of order.
    leaves : tuple of str
        Files that the call may make or write to, where a part of it is done.
    holds : callable
        Given the error, or else the result, whether all else is as it should be, such as what is
        finished is kept.
    marks : tuple
        Marks of the test.
    place : Place or None
        What other values are to be tried in.
    """

    what: str
    call: Callable[[], object]
    names: str
    error: type | None = ValueError
    keeps: Callable[[], object] | None = None
    given: Callable[[], AbstractContextManager] = nullcontext
    leaves: tuple[str, ...] = ()
    holds: Callable[[object], bool] = lambda answer: True
    marks: tuple[pytest.MarkDecorator, ...] = ()
    place: Place | None = None


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

            def call(value, argument=argument):
                return function(**{**good, argument: value})

            place = Place(f"{title}({argument})", call, names, tuple(group), keeps)
            for value in group:
                yield Row(
                    f"{title}({argument}={value!r})",
                    lambda call=call, value=value: call(value),
                    names,
                    keeps=keeps,
                    place=place,
                )


def each(
    title: str, function: Callable, good: dict, bad: Iterable[tuple[dict, str]], **more
) -> Iterator[Row]:
    """A row for each change of the right arguments, with what the message must then match.

    ``more`` goes to every `Row`.
    """
    for change, names in bad:
        listed = ", ".join(f"{name}={value!r}" for name, value in change.items())
        yield Row(
            f"{title}({listed})", lambda change=change: function(**good | change), names, **more
        )
