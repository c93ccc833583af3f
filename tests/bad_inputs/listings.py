"""What a notebook's cell ends with to be shown: code, and errata."""

import functools

import eubrl_edu as eu
from eubrl_edu.errata import ERRATA
from eubrl_edu.errata.erratum import ErrataList
from eubrl_edu.source_listing import SourceListing
from tests.bad_inputs.row import Row, systematic


def rows():
    made = {}
    exec("def without_a_file(): pass", made)
    for found in (
        None, 3, "solve", functools.partial(eu.solve), lambda: 3, functools, made["without_a_file"],
        eu.make_env("loop"), print, dict,
    ):  # fmt: skip
        yield Row(
            f"SourceListing(solve, {found!r})", lambda found=found: SourceListing(eu.solve, found),
            "objects must be functions or classes whose source is in a file, got",
        )  # fmt: skip
    yield from systematic(
        "ErrataList", ErrataList, {"errata": ERRATA},
        {"errata": [None, 5, "abc", ERRATA[0], [ERRATA[0], None], list(ERRATA) * 1000],
         "folded_under": [None, 3, b"slips"]},
    )  # fmt: skip
    yield Row(
        "ErrataList(generator)", lambda: ErrataList(each for each in ERRATA[:2]), "printed:", None,
        holds=lambda shown: repr(shown) == repr(ErrataList(ERRATA[:2])),
    )  # fmt: skip
