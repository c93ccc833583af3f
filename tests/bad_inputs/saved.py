"""What a lab asks, where its controls can go, and what it writes: how long, and how large."""

import re
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import gymnasium

from eubrl_edu.labs import (
    BayesOptimalLab,
    BeliefLab,
    ExplorationLab,
    GuidanceLab,
    PatienceLab,
    PlanningLab,
    PriorLab,
    RaceLab,
    UncertaintyLab,
)
from eubrl_edu.labs.prediction import Choice, Number
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.values import NOT_ABOVE_0, NOT_AT_LEAST_0

NO_LISTS = [3, None, b"eta", 1.5]


@cache
def lab():
    return GuidanceLab()


@cache
def run_of_20_steps():
    return ExplorationLab(world="loop", steps=20)


@cache
def beliefs():
    return BeliefLab()


@cache
def races():
    return RaceLab(seeds=1, steps=20, agents=["RMAX"])


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
    yield from places_to_write()
    yield from questions()
    for value in (10**9, -1, "x"):
        yield Row(
            f"lab.put(seen_a=2, seed={value!r})",
            lambda value=value: beliefs().put({"seen_a": 2, "seed": value}),
            "seed must be .*, got", keeps=lambda: beliefs().params,
        )  # fmt: skip
    for value in (["loop"], gymnasium.Env, None, gymnasium.make_vec("FrozenLake-v1", num_envs=2)):
        named = "unknown environment|is a class: make a world of it|must be a single one"
        yield Row(
            f"lab.put(world={str(value)[:30]})", lambda v=value: races().put({"world": v}), named,
            keeps=lambda: races().params,
        )  # fmt: skip
        yield Row(f"RaceLab(world={str(value)[:30]})", lambda v=value: RaceLab(world=v), named)
    yield Row(
        "lab.put(bogus=1)", lambda: beliefs().put({"seen_a": 2, "bogus": 1}),
        "unknown setting 'bogus'; choose one of", keeps=lambda: beliefs().params,
    )  # fmt: skip


def kept_runs():
    """A store of results, or what begins as one."""
    Path("runs").write_bytes(b"SQLite format 3\0 and more")
    return nullcontext()


def places_to_write():
    """Where a picture, a table, a film or a page cannot go, and what no control of it can show."""
    writers = {
        "save_figure": ("png", {}), "save_data": ("csv", {}),
        "save_run": ("gif", {"over": "eta"}), "save_page": ("html", {"over": "eta"}),
    }  # fmt: skip
    for name, (kind, given) in writers.items():
        yield Row(
            f"lab.{name} into a folder that is not there",
            lambda name=name, path=f"absent/it.{kind}", given=given: getattr(lab(), name)(
                path, **given
            ),
            "the folder of path 'absent/it.* is not there",
        )  # fmt: skip
        yield Row(
            f"lab.{name} over a store",
            lambda name=name, given=given: getattr(lab(), name)("runs", **given),
            "path must name another file, got 'runs', which is a store", given=kept_runs,
        )  # fmt: skip
    yield Row(
        "lab.save_data('a.png')", lambda: lab().save_data("a.png"),
        "unknown format of numbers 'png'; choose one of: csv",
    )  # fmt: skip
    yield Row(
        "lab.save_page('page.png')", lambda: lab().save_page("page.png", "eta"),
        "unknown format of a page 'png'; choose one of: html, htm",
    )  # fmt: skip
    for write, path in (("save_page", "run.html"), ("save_run", "run.gif")):
        yield Row(
            f"ExplorationLab.{write}(over time 1000)",
            lambda write=write, path=path: getattr(run_of_20_steps(), write)(
                path, over={"time": [0, 1000]}
            ),
            "time must be from 0 to 20, got 1000",
        )  # fmt: skip
        for lab_of, name, value, allowed in BEYOND:
            yield Row(
                f"{lab_of.__name__}.{write}(over {name} {value})",
                lambda write=write, path=path, lab_of=lab_of, name=name, value=value: getattr(
                    lab_of(), write
                )(path, over={name: [value]}),
                f"{name} must be from {allowed}, got {re.escape(str(value))}",
            )  # fmt: skip


# A value beyond the ends of a control, and where these are.
BEYOND = (
    (UncertaintyLab, "n", 10**6, "0 to 1000"),
    (GuidanceLab, "eta", -7.0, "0.1 to 10"),
    (GuidanceLab, "eta", 1e5, "0.1 to 10"),
    (GuidanceLab, "noise", -1.0, "0 to 2"),
    (PatienceLab, "patience", -1.0, "5.01187 to 19952.6"),
    (PlanningLab, "sweeps", 10**6, "0 to 100"),
    (BayesOptimalLab, "tries", 500, "1 to 20"),
    (BeliefLab, "draws", 10**8, "0 to 1000"),
    (PriorLab, "strength", -1.0, "0.001 to 1000"),
)


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
