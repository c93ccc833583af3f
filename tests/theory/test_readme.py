"""Every file and name in the theory's table of items exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "eubrl_edu" / "theory" / "README.md"


def rows():
    for line in README.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and cells[0] != "Item" and not set(cells[0]) <= set("-: "):
            yield cells


ROWS = list(rows())


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_there_are_rows_and_none_is_listed_twice():
    assert len(ROWS) > 40
    assert len({(item, place) for item, place, *_ in ROWS}) == len(ROWS)


@pytest.mark.parametrize("cells", ROWS, ids=lambda cells: cells[0][:40])
def test_what_a_row_names_exists(cells):
    item, place, implemented, tested, shown = cells
    assert item and place and implemented and tested and shown
    files = [name for name in quoted(implemented) if name.endswith((".py", ".csv"))]
    sources = ""
    for name in files:
        assert (ROOT / "eubrl_edu" / name).is_file(), f"{name} is not a file of the package"
        sources += (ROOT / "eubrl_edu" / name).read_text(encoding="utf-8")
    for name in quoted(implemented):
        if name not in files and re.fullmatch(r"\w+(\.\w+)*", name):
            for part in name.split("."):
                assert part in sources, f"{part} is not in the files of its row"
    for name in quoted(tested):
        assert (ROOT / "tests" / name).is_file(), f"{name} is not a file of the tests"
