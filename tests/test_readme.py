"""What the README says can be done."""

import importlib
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eubrl_edu.cli_parser import make_parser

ROOT = Path(__file__).parents[1]
NOTEBOOKS = ROOT / "notebooks"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_its_python_runs_from_top_to_bottom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks("python"):
        exec(compile(block.replace("range(20)", "range(2)"), "README.md", "exec"), names)
    assert set(names["frame"].agent) == {"EUBRL", "RMAX"}
    assert names["frame"]["size"].unique().tolist() == [5, 10]
    assert names["plan"].q.shape == (101, 2)
    kinds = {".svg", ".csv", ".gif", ".html"}
    assert {path.suffix for path in tmp_path.glob("sea.*") if path.stat().st_size > 5000} == kinds


COMMANDS = [line for block in blocks("sh") for line in block.splitlines()]


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("eubrl-edu")])
def test_its_commands_are_understood(line):
    make_parser().parse_args(shlex.split(line, comments=True)[1:])


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("make")])
def test_its_targets_are_in_the_makefile(line):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"\n{line.split()[1]}:" in makefile


def rows(heading):
    """The cells of the first table under a heading, row by row."""
    table = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


def source_of(page):
    cells = json.loads((NOTEBOOKS / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells)


def test_the_course_is_listed_whole_with_the_times_that_the_pages_say():
    listed = {}
    for link, about, minutes in rows("The course"):
        name, path = re.fullmatch(r"\[(\w+)\]\((.*)\)", link).groups()
        assert path == f"notebooks/{name}.ipynb" and about
        listed[name] = int(minutes)
    assert list(listed) == sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
    for name, minutes in listed.items():
        said = re.search(r"\*\*Time\*\*(.*?)\.", source_of(name)).group(1)
        assert minutes == sum(map(int, re.findall(r"\d+", said))), name


EQUATIONS = rows("From the paper to the code")


@pytest.mark.parametrize(("about", "code", "page", "test"), EQUATIONS, ids=lambda cell: cell[:40])
def test_an_equation_leads_to_its_class_its_page_and_its_test(about, code, page, test):
    module, name = code.strip("`").rsplit(".", 1)
    thing = getattr(importlib.import_module(module), name)
    assert thing.__doc__
    # Its own test imports it, or the module it stands in; its page speaks of what it is.
    words = (ROOT / test).read_text(encoding="utf-8")
    assert re.search(rf"\b{name}\b", words), f"{test} does not test {name}"
    symbols = re.findall(r"P_b|r_b|mathcal E_T|mathcal E_b|E_T|E_b|P_U|Psi|EUBRL|V\^", about)
    text = source_of(page)
    assert name in text or any(symbol.replace("mathcal ", "") in text for symbol in symbols), page


def test_the_glossary_names_what_is_there():
    names = [name for row in rows("Glossary") for name in re.findall(r"`([\w.]+)`", row[1])]
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "eubrl_edu").rglob("*.py"))
    assert len(names) > 15
    for name in names:
        assert re.search(rf"\b{name.removeprefix('plan.')}\b", sources), name


def test_the_architecture_names_every_folder():
    """Each part of the house stands in the table, and what stands there is in the house."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.split("| folder |")[1].split("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    listed = {name.rstrip("/") for name in re.findall(r"`([^`]+)`", " ".join(cells))}
    package = {path.name for path in (ROOT / "eubrl_edu").iterdir() if path.name[0] != "_"}
    assert package - {"py.typed"} <= listed
    for name in listed - package:
        assert (ROOT / name).is_dir(), name


@pytest.mark.parametrize("path", re.findall(r"\]\((?!http)([^)]+)\)", README))
def test_its_links_lead_somewhere(path):
    assert (ROOT / path).exists()


def test_its_picture_is_a_film_of_less_than_2_megabytes():
    (path,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert (ROOT / path).stat().st_size < 2_000_000
    film = Image.open(ROOT / path)
    assert film.n_frames > 30
    first, last = (film.seek(n) or np.asarray(film.convert("RGB"), int) for n in (0, 40))
    assert np.abs(first - last).mean() > 1
