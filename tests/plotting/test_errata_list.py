"""The list of errata: every word and number is in it, and nothing breaks the page."""

from html.parser import HTMLParser
from types import SimpleNamespace

from eubrl_edu.plotting.errata_list import ErrataList, numbers_of
from eubrl_edu.theory import ERRATA


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


def test_every_word_and_number_is_shown_in_both_forms():
    shown = ErrataList(ERRATA[:5])
    page = Cells()
    page.feed(shown._repr_html_())
    assert page.rows == 6 and len(page.cells) == 15
    for erratum, first in zip(ERRATA[:5], range(0, 15, 3), strict=True):
        place, problem, repaired = page.cells[first : first + 3]
        assert place == erratum.place + erratum.printed
        name = f"({erratum.counterexample.__name__})"
        assert problem == f"{erratum.problem}{numbers_of(erratum)} {name}"
        assert repaired == erratum.repaired
        for words in (erratum.place, erratum.printed, erratum.problem, erratum.repaired):
            assert words in repr(shown)
        assert f"{numbers_of(erratum)} {name}" in repr(shown)


def test_signs_of_the_page_s_own_language_are_kept_as_signs():
    odd = SimpleNamespace(
        place="a < b",
        printed="<script>",
        problem="x & y",
        repaired="'quoted'",
        counterexample=lambda: {"a": 1 / 3, "b": 2},
    )
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
