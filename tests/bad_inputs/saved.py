"""What a lab writes: which controls move, and how large a file may become."""

from functools import cache

from eubrl_edu.labs import GuidanceLab
from tests.bad_inputs.row import systematic
from tests.bad_inputs.values import NOT_ABOVE_0

NO_LISTS = [3, None, b"eta", 1.5]


@cache
def lab():
    return GuidanceLab()


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
