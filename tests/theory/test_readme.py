"""The theory's table of items: nothing is missing, and all that it names is there."""

import csv
import importlib
import re
from pathlib import Path

import nbformat
import pytest

from eubrl_edu.theory import ERRATA

ROOT = Path(__file__).parents[2]
README = ROOT / "eubrl_edu" / "theory" / "README.md"
LABELS = Path(__file__).parent / "paper_labels.csv"
FIGURES = "figures/"


def rows():
    for line in README.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and cells[0] != "Item" and not set(cells[0]) <= set("-: "):
            yield cells


ROWS = list(rows())


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


def has(owner, name):
    """Whether a module or class has that name; a field without a default is an annotation."""
    return hasattr(owner, name) or name in getattr(owner, "__annotations__", {})


def test_there_are_rows_and_none_is_listed_twice():
    assert len(ROWS) > 120
    assert len({(item, place) for item, place, *_ in ROWS}) == len(ROWS)


def test_every_label_of_the_paper_has_a_row():
    """Its theorems, lemmas, definitions, remarks, tables, figures and numbered equations."""
    items = {item for item, *_ in ROWS}
    with LABELS.open(encoding="utf-8", newline="") as file:
        labels = list(csv.DictReader(file))
    assert len({row["label"] for row in labels}) == 112
    for row in labels:
        assert row["item"] in items, f"{row['label']} has no row"


@pytest.mark.parametrize("cells", ROWS, ids=lambda cells: cells[0][:40])
def test_what_a_row_names_exists(cells):
    item, place, implemented, tested, shown = cells
    assert item and place and implemented and tested and shown
    modules = []
    for name in quoted(implemented):
        if name.endswith((".py", ".csv")):
            assert (ROOT / "eubrl_edu" / name).is_file(), f"{name} is not a file of the package"
        if name.endswith(".py"):
            path = name.removesuffix(".py").replace("/", ".")
            modules.append(importlib.import_module(f"eubrl_edu.{path}"))
        elif re.fullmatch(r"\w+(\.\w+)?", name):
            first, _, rest = name.partition(".")
            owners = [module for module in modules if has(module, first)]
            assert owners, f"{first} is not in the files of its row"
            assert not rest or has(getattr(owners[0], first), rest), f"{first} has no {rest}"
    for name in quoted(tested):
        assert (ROOT / "tests" / name).is_file(), f"{name} is not a file of the tests"


@pytest.mark.parametrize("cells", ROWS, ids=lambda cells: cells[0][:40])
def test_a_row_is_shown_in_a_notebook_or_a_figure_that_is_there(cells):
    for place in cells[-1].split(", "):
        if place not in ("–", FIGURES):
            assert (ROOT / "notebooks" / f"{place}.ipynb").is_file(), f"{place} is not a notebook"


def test_every_erratum_has_a_row_that_leads_to_the_notebook_that_lists_them_all():
    notebook = "12_reading_the_paper_critically"
    stored = nbformat.read(ROOT / "notebooks" / f"{notebook}.ipynb", as_version=4)
    listed = "\n".join(
        output.data["text/plain"]
        for cell in stored.cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    )
    for erratum in ERRATA:
        assert f"{erratum.place}\n  printed:  {erratum.printed}\n" in listed
        name = erratum.counterexample.__name__
        leading = [cells for cells in ROWS if name in quoted(cells[2])]
        assert leading, f"{name} has no row"
        for cells in leading:
            assert notebook in cells[-1], f"{name} is shown in {notebook}"
