"""The list of errata: every word and number is in it, and nothing breaks the page."""

from html.parser import HTMLParser

import numpy as np
import pytest

from eubrl_edu.errata import ERRATA, Erratum, Kind
from eubrl_edu.errata.erratum import ErrataList, numbers_of


class Cells(HTMLParser):
    def __init__(self):
        super().__init__()
        self.cells, self.rows = [], 0

    def handle_starttag(self, tag, attributes):
        self.rows += tag == "tr"
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.place[:50])
def test_an_erratum_says_everything_and_its_counterexample_runs(erratum):
    for words in (erratum.place, erratum.printed, erratum.survives):
        assert len(words) > 3 - (erratum.kind is Kind.SLIP) and words == words.strip()
    if erratum.counterexample is None:
        assert erratum.kind is Kind.SLIP or "arXiv" in erratum.problem
        return
    assert len(erratum.problem) > 3 and erratum.problem == erratum.problem.strip()
    numbers = erratum.counterexample()
    assert len(numbers) >= 2
    assert all(isinstance(value, (int, float)) for value in numbers.values())
    assert np.isfinite(list(numbers.values())).all()
    assert erratum.counterexample() == numbers


def test_no_erratum_is_listed_twice_and_the_gravest_come_first():
    assert len({(erratum.place, erratum.printed) for erratum in ERRATA}) == len(ERRATA)
    kinds = [list(Kind).index(erratum.kind) for erratum in ERRATA]
    assert kinds == sorted(kinds) and ERRATA[0].kind is Kind.GAP


@pytest.mark.long
def test_every_word_and_number_is_shown_in_both_forms():
    some = [*ERRATA[:5], ERRATA[-1]]
    shown = ErrataList(some)
    page = Cells()
    page.feed(shown._repr_html_())
    assert page.rows == 7 and len(page.cells) == 18
    for erratum, first in zip(some, range(0, 18, 3), strict=True):
        place, problem, survives = page.cells[first : first + 3]
        assert place == erratum.place + erratum.printed
        assert problem == f"{erratum.problem}{numbers_of(erratum)}"
        assert survives == erratum.survives
        for words in (erratum.place, erratum.printed, erratum.problem, erratum.survives):
            assert words in repr(shown)
        assert numbers_of(erratum) in repr(shown)


def test_signs_of_the_page_s_own_language_are_kept_as_signs():
    numbers = lambda: {"a": 1 / 3, "b": 2}  # noqa: E731, as its name is shown
    odd = Erratum(Kind.CLAIM, "a < b", "<script>", "x & y", "'quoted'", numbers)
    page = Cells()
    page.feed(ErrataList([odd])._repr_html_())
    assert page.cells == ["a < b<script>", "x & ya: 0.3333 · b: 2 (<lambda>)", "'quoted'"]


def test_a_folded_list_is_the_same_table_under_its_words():
    plain, folded = ErrataList(ERRATA[:2]), ErrataList(ERRATA[:2], folded_under="Show < these")
    table = plain._repr_html_()
    head = "<details><summary>Show &lt; these</summary>"
    assert folded._repr_html_() == f"{head}{table}</details>"
    assert repr(folded) == repr(plain)
    assert "<details>" not in table
