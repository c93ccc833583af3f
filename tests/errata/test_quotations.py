"""Every quotation in the list of errata is the paper's own, word for word.

The paper's text is no part of this project, so two files stand for it. ``paper_passages.csv``
copies the lines that are quoted, with their numbers, in the order of the quotation.
``paper_lines.txt`` has a fingerprint of every line of ``eubrl.tex``, made from the paper itself:
a copy that was not taken from there, or that was changed, does not meet it.
"""

import csv
import hashlib
from collections import defaultdict
from pathlib import Path

import pytest

from eubrl_edu.errata import ERRATA
from tests.errata.quotations import fragments, plain

HERE = Path(__file__).parent
FINGERPRINTS = (HERE / "paper_lines.txt").read_text(encoding="utf-8").split()
with (HERE / "paper_passages.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
PASSAGES = defaultdict(list)
for row in ROWS:
    PASSAGES[row["place"]].append(plain(row["passage"]))


def fingerprint(line: str) -> str:
    """The first twelve hexadecimal digits of the line's SHA-256."""
    return hashlib.sha256(line.encode()).hexdigest()[:12]


def stands_in(printed: str, passages: list[str]) -> bool:
    """Whether the passages hold the fragments in their order, each fragment in one passage."""
    at, after = 0, 0
    for fragment in fragments(printed):
        while fragment not in passages[at][after:]:
            at, after = at + 1, 0
            if at == len(passages):
                return False
        after = passages[at].index(fragment, after) + len(fragment)
    return True


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.place[:50])
def test_a_quotation_is_verbatim(erratum):
    assert all(fragments(erratum.printed))
    assert stands_in(erratum.printed, PASSAGES[erratum.place])


def test_one_changed_word_is_noticed():
    for erratum in ERRATA:
        first, *_ = fragments(erratum.printed)
        assert not stands_in(first[:-1] + "!", PASSAGES[erratum.place])


def test_fragments_in_another_order_are_noticed():
    assert stands_in("one … three", ["one two", "three"])
    assert not stands_in("three … one", ["one two", "three"])
    assert not stands_in("two … one", ["one two"])
    assert not stands_in("two three", ["one two", "three"])


def test_no_place_is_listed_twice_and_no_passage_is_left_over():
    places = [erratum.place for erratum in ERRATA]
    assert {row["place"] for row in ROWS} == set(places)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"line {row['line']}")
def test_a_copied_passage_is_the_paper_s(row):
    copied, first = row["passage"].split("\n"), int(row["line"]) - 1
    found = [fingerprint(line) for line in copied]
    assert found == FINGERPRINTS[first : first + len(copied)]
    # It is noticed if one letter differs, or the line's number.
    assert fingerprint(copied[0] + "!") != FINGERPRINTS[first]
    assert found != FINGERPRINTS[first + 1 : first + 1 + len(copied)]
