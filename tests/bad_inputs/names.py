"""Names, keys and paths that no store or file system can hold: refused before a file is made."""

import io
import re

import pandas as pd

import eubrl_edu as eu
from eubrl_edu.course import copy_course, open_lab
from eubrl_edu.course.checking import check_folder
from eubrl_edu.course.presenting import present
from eubrl_edu.course.scenes import find_scenes
from eubrl_edu.course.slides import write_slides
from eubrl_edu.exercises.progress import read_progress
from eubrl_edu.experiments.tuning import tune
from eubrl_edu.labs import ExplorationLab, RaceLab
from eubrl_edu.labs.saving import Saving
from eubrl_edu.labs.scaling.run import find_store
from eubrl_edu.reproduction.reproduce import reproduce
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.running import Anyone
from tests.bad_inputs.worlds import Table
from tests.labs.exploration.test_own import root_bonus
from tests.labs.race.test_own import Stubborn

# Half of a pair of UTF-16, a byte of a file's name that is not UTF-8, and what ends a string in C.
NOT_TEXT = ["a\ud800", "\udcff.x", "a\0b"]
NOT_NAMES = [*NOT_TEXT, "", " ", None, 5, b"a"]
TOO_LONG = ["a" * 256, "b/" * 2500]
NO_PATHS = [5, b"a", ["a"]]
# To Matplotlib formulas, some of which it cannot read, and what it leaves out of a legend.
NOT_PLAIN = ("_mine", "$x^$", "$5 and $6", "a$", r"\$q$")


class Dollars(Table):
    """A world whose states and actions are called like formulas."""

    def __init__(self):
        super().__init__(action_names=["$a^$", "b"], state_names=["$s_$", "t", "u"])


def of_labs():
    """An agent of one's own in a lab; its name is drawn, whatever signs it holds."""
    for title, lab, argument in (
        ("RaceLab", RaceLab, "agents"), ("ExplorationLab", ExplorationLab, "agent"),
    ):  # fmt: skip
        yield from systematic(
            title, lab, {},
            {argument: {"name of an agent must be some text": [{n: Stubborn} for n in NOT_NAMES]}},
        )  # fmt: skip
    for name in NOT_PLAIN:
        calls = {
            "RaceLab": lambda name=name: RaceLab(agents={name: Stubborn}, steps=20, seeds=1),
            "ExplorationLab": lambda name=name: ExplorationLab(
                agent={name: root_bonus}, world=Dollars(), steps=20
            ),
            "plot": lambda name=name: drawn_names(name),
        }
        for title, call in calls.items():
            yield Row(f"{title} of an agent called {name!r}", call, re.escape(name), None)


def drawn_names(name):
    """What a picture of results calls its study and its agent."""
    frame = eu.run_study("loop", {name: Stubborn}, seeds=1, progress=False).assign(study=name)
    for runs in (frame, pd.concat([frame, frame.assign(size=3)])):
        figure = eu.plot(runs)
        figure.savefig(io.BytesIO())
        (axes,) = figure.axes
        legend = axes.get_legend()
        (label,) = axes.get_xticklabels() if legend is None else legend.get_texts()
        assert label.get_text() == axes.get_title()
    return axes.get_title().replace(r"\$", "$")


def rows():
    study = {"name": "hall", "environment": Table, "steps": 3}
    own = {"agents": {"mine": Anyone}, "seeds": 1, "progress": False}
    own |= {"store": "runs.sqlite", "key": "mine"}
    yield from systematic(
        "Study", eu.Study, study,
        {"name": NOT_NAMES, "title": [*NOT_TEXT, None, 5], "environment": NOT_NAMES},
    )  # fmt: skip
    yield from systematic(
        "run_study of one's own", eu.run_study, own | {"study": eu.Study(**study)},
        {"key": [name for name in NOT_NAMES if name is not None],
         "agents": {"name of an agent must be some text": [{n: Anyone} for n in NOT_NAMES]}},
    )  # fmt: skip
    yield from systematic(
        "TabularEnvironment", Table, {},
        {name: [["a", "b", text][-count:] for text in NOT_TEXT]
         for name, count in (("action_names", 2), ("state_names", 3))},
    )  # fmt: skip
    yield from of_labs()
    loop = {"study": "loop", "progress": False}
    for title, call, argument, kind in (
        ("run_study", lambda store: eu.run_study(**loop, store=store), "store", "file"),
        ("tune", lambda store: tune(**loop, agent="EUBRL", store=store), "store", "file"),
        ("read_store", eu.read_store, "store", "file"),
        ("reproduce", lambda store: reproduce("new", store), "store", "file"),
        ("reproduce", reproduce, "out", "folder"),
        ("find_store", find_store, "store", "file"),
        ("lab.save_figure", Saving().save_figure, "path", "file"),
        ("lab.save_data", Saving().save_data, "path", "file"),
        ("lab.save", Saving().save, "folder", "folder"),
        ("lab.save_run", Saving().save_run, "path", "file"),
        ("lab.save_page", lambda path: Saving().save_page(path, "seed"), "path", "file"),
        ("write_slides", lambda notebook: write_slides([notebook]), "notebook", "file"),
        ("write_slides", lambda folder: write_slides((), folder), "folder", "folder"),
        ("copy_course", copy_course, "folder", "folder"),
        ("check_folder", check_folder, "folder", "folder"),
        ("find_scenes", find_scenes, "folder", "folder"),
        ("present", present, "folder", "folder"),
        ("open_lab", open_lab, "notebook", "file"),
        ("read_progress", read_progress, "folder", "folder"),
    ):
        for path in (*NOT_TEXT, *TOO_LONG, *NO_PATHS):
            yield Row(
                f"{title}({argument}={path!r})",
                lambda call=call, path=path: call(path),
                rf"\b{argument} must be the path of a {kind}, ",
                ValueError if isinstance(path, str) else TypeError,
            )
