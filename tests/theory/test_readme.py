"""The theory's table of items: nothing is missing, and all that it names is there."""

import ast
import csv
import functools
import importlib
import re
from pathlib import Path

import nbformat
import pytest

from eubrl_edu.errata import ERRATA, Kind

ROOT = Path(__file__).parents[2]
LABS = ROOT / "eubrl_edu" / "labs"
README = ROOT / "eubrl_edu" / "theory" / "README.md"
LABELS = Path(__file__).parent / "paper_labels.csv"
FIGURES = "figures/"
CRITICAL = "12_reading_the_paper_critically"
WORD_FIELDS = ("id", "attr", "name", "arg", "value")  # where a node of Python code has its words


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


def plain(name):
    """Without capitals and hyphens: the class MBIEEB is the agent "MBIE-EB"."""
    return name.replace("-", "").lower()


def words_of(source):
    """The names in some code and its whole strings, but not its docstrings."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    nodes = [node for node in ast.walk(tree) if id(node) not in docstrings]
    found = [getattr(node, field, None) for node in nodes for field in WORD_FIELDS]
    return {plain(word) for word in found if isinstance(word, str)}


@functools.cache
def words_of_notebook(name):
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return set().union(*map(words_of, cells))


@functools.cache
def words_of_lab(name):
    """Those of the lab's module and of all modules of labs that it is made of."""
    labs = importlib.import_module("eubrl_edu.labs")
    waiting, sources = [getattr(labs, name).__module__], {}
    while waiting:
        module = waiting.pop().removeprefix("eubrl_edu.labs.")
        if module not in sources:
            sources[module] = (LABS / f"{module.replace('.', '/')}.py").read_text("utf-8")
            imports = r"^from eubrl_edu\.labs\.([\w.]+) import ([\w, ]*)"
            for origin, names in re.findall(imports, sources[module], re.M):
                is_folder = (LABS / origin).is_dir()
                waiting += (
                    [f"{origin}.{each}" for each in names.split(", ")] if is_folder else [origin]
                )
    if any("experiments.records" in source for source in sources.values()):
        sources["records"] = (LABS.parent / "experiments" / "records.py").read_text("utf-8")
    return set().union(*map(words_of, sources.values()))


@pytest.mark.parametrize("cells", ROWS, ids=lambda cells: cells[0][:40])
def test_a_row_is_shown_where_something_of_it_is_used(cells):
    """In a notebook's code, or in that of the lab in brackets, which the notebook opens."""
    implemented, shown = cells[2], cells[-1]
    names = [name for name in quoted(implemented) if re.fullmatch(r"\w+(\.\w+)?", name)]
    names = {plain(part) for name in names for part in name.split(".")}
    for cell in shown.split(", "):
        if cell in ("–", FIGURES):
            continue
        place, lab = re.fullmatch(r"(\w+)(?: \((\w+)\))?", cell).groups()
        words = words_of_notebook(place)
        if lab is not None:
            assert plain(lab) in words, f"{place} does not open {lab}"
            words = words_of_lab(lab)
        if place != CRITICAL or "errata" not in implemented:  # that one lists all errata, see below
            assert names & words, f"{cell} uses none of {sorted(names)}"


def test_every_erratum_has_a_row_that_leads_to_the_notebook_that_lists_them_all():
    """Slips of the pen have no numbers of their own, and stand in the notebook's list only."""
    notebook = nbformat.read(ROOT / "notebooks" / f"{CRITICAL}.ipynb", as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for kind in Kind:
        assert f"Kind.{kind.name}" in code, f"{CRITICAL} does not list the kind {kind}"
    for erratum in ERRATA:
        if erratum.counterexample is not None:
            name = erratum.counterexample.__name__
            leading = [cells for cells in ROWS if name in quoted(cells[2])]
            assert leading, f"{name} has no row"
            for cells in leading:
                assert CRITICAL in cells[-1], f"{name} is shown in {CRITICAL}"
