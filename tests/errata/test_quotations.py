"""Every quotation in the list of errata is the paper's own, word for word.

``paper_passages.csv`` holds a copy of the lines that are quoted, with their numbers; the paper's
text itself is no part of this project. Who has it can compare the copy with it, by
``EUBRL_PAPER=path/to/eubrl.tex``.
"""

import csv
import os
from collections import defaultdict
from pathlib import Path

import pytest

from eubrl_edu.errata import ERRATA
from tests.errata.quotations import fragments, plain

with (Path(__file__).parent / "paper_passages.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
PASSAGES = defaultdict(str)
for row in ROWS:
    PASSAGES[row["place"]] += plain(row["passage"])


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.place[:50])
def test_a_quotation_is_verbatim(erratum):
    assert all(fragments(erratum.printed))
    for fragment in fragments(erratum.printed):
        assert fragment in PASSAGES[erratum.place]


def test_one_changed_word_is_noticed():
    for erratum in ERRATA:
        first, *_ = fragments(erratum.printed)
        assert first[:-1] + "!" not in PASSAGES[erratum.place]


def test_no_place_is_listed_twice_and_no_passage_is_left_over():
    places = [erratum.place for erratum in ERRATA]
    assert {row["place"] for row in ROWS} == set(places)


@pytest.mark.skipif("EUBRL_PAPER" not in os.environ, reason="the paper's text is not at hand")
def test_the_copied_lines_are_the_paper_s():
    lines = Path(os.environ["EUBRL_PAPER"]).read_text(encoding="utf-8").splitlines()
    for row in ROWS:
        copied, first = row["passage"].split("\n"), int(row["line"]) - 1
        assert lines[first : first + len(copied)] == copied
