"""What a lab asks, where its controls can go, and what it writes: how long, and how large."""

from functools import cache

from eubrl_edu.labs import BeliefLab, GuidanceLab
from eubrl_edu.labs.prediction import Choice, Number
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.values import NOT_ABOVE_0, NOT_AT_LEAST_0

NO_LISTS = [3, None, b"eta", 1.5]


@cache
def lab():
    return GuidanceLab()


@cache
def beliefs():
    return BeliefLab()


def rows():
    over = {
        "over must hold a list of controls, got": NO_LISTS,
        "over must hold a list of values of eta, got": [{"eta": no} for no in (*NO_LISTS, "1")],
        "unknown control": ["time", ["eta", 3], {3: [1]}, [["eta"]]],
    }
    for title, call, path in (
        ("lab.save_page", lambda **given: lab().save_page(**given), "page.html"),
        ("lab.save_run", lambda **given: lab().save_run(**given), "run.gif"),
    ):
        some = {"path": path, "over": {"eta": [1.0]}}
        # That None stands for what Play moves is said of a run alone, and this lab plays nothing.
        named = (
            over
            if path == "page.html"
            else over | {"over must hold a list of controls, got": [3, b"eta", 1.5]}
        )
        yield from systematic(title, call, some, {"over": named, "most_megabytes": NOT_ABOVE_0})
    for path in ("run.gif", "run.webp"):
        yield from systematic(
            f"lab.save_run to {path}", lambda **given: lab().save_run(**given),
            {"path": path, "over": {"eta": [0.5, 1.0]}},
            {"seconds": [0.0, 1e-9, 0.019, 30.1, 65.535, 1e5, *NOT_ABOVE_0]},
        )  # fmt: skip
    yield from questions()
    for value in (10**9, -1, "x"):
        yield Row(
            f"lab.put(seen_a=2, seed={value!r})",
            lambda value=value: beliefs().put({"seen_a": 2, "seed": value}),
            "seed must be from 0 to 9999, got", keeps=lambda: beliefs().params,
        )  # fmt: skip
    yield Row(
        "lab.put(bogus=1)", lambda: beliefs().put({"seen_a": 2, "bogus": 1}),
        "unknown control 'bogus'; choose one of", keeps=lambda: beliefs().params,
    )  # fmt: skip


def questions():
    """What a lab asks before it shows its picture."""
    truth = abs
    no_texts = [1, None, b"a", "\ud800", "a\0b"]
    no_truths = [None, 5, "yes"]
    yield from systematic(
        "Choice", Choice, {"question": "Which?", "answers": {"this": "Yes."}, "truth": truth},
        {"question": ["", " ", *no_texts], "truth": no_truths,
         "answers": [None, 2, "this", ["this"], {}, {1: "a"}, {"this": 2}, {"this": "\ud800"}]},
    )  # fmt: skip
    good = {"question": "How many?", "numbers": range(1, 9), "truth": truth}
    good |= {"right": "a", "too_low": "b", "too_high": "c"}
    yield from systematic(
        "Number", Number, good,
        {"question": ["", " ", *no_texts], "truth": no_truths,
         "numbers": [None, 5, "5", [1, 2], range(0), range(9, 1, -1)],
         "common": [None, 5, [3], {"3": "a"}, {3: 5}], "within": NOT_AT_LEAST_0}
        | {name: no_texts for name in ("right", "too_low", "too_high", "unit")},
    )  # fmt: skip
