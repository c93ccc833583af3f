"""The built pages fetch nothing from the network, and hold what the documentation promises."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import eubrl_edu

ROOT = Path(__file__).parents[1]
# What a browser loads by itself; a link that somebody clicks is none of it.
FETCHES = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed)\b[^>]*\bsrc\s*=\s*["']?(?:https?:)?//"""
    r"""|<link\b(?![^>]*\brel\s*=\s*["']?canonical)[^>]*\bhref\s*=\s*["']?(?:https?:)?//"""
    r"""|@import\s+(?:url\()?\s*["']?(?:https?:)?//"""
    r"""|\burl\(\s*["']?(?:https?:)?//""",
    flags=re.IGNORECASE,
)


@pytest.mark.parametrize(
    ("text", "fetches"),
    [
        ('<script async src="https://cdn.example/x.js"></script>', True),
        ("<img alt='a' src='//example.org/a.png'>", True),
        ('<link rel="stylesheet" href="https://fonts.example/css">', True),
        ('@import "https://fonts.example/css";', True),
        ("src: url(https://fonts.example/a.woff2)", True),
        ('<a href="https://example.org">a link</a>', False),
        ('<script src="_static/doctools.js"></script>', False),
        ("background: url(data:image/svg+xml;base64,AAAA)", False),
    ],
)
def test_the_search_for_fetches(text, fetches):
    assert bool(FETCHES.search(text)) == fetches


@pytest.fixture(scope="module")
def pages():
    """What `make docs` writes, with warnings as errors."""
    pytest.importorskip("sphinx", reason="`make docs` installs what the pages need")
    if shutil.which("make") is None:
        pytest.skip("there is no make here")
    # With the Python that runs the tests, in which all is installed.
    with_this_python = (f"BIN={Path(sys.executable).parent}", "DOCS=")
    shutil.rmtree(ROOT / "build" / "docs", ignore_errors=True)  # no page of an earlier build
    done = subprocess.run(
        ["make", "docs", *with_this_python], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / "build" / "docs"


@pytest.mark.long
def test_pages_fetch_nothing(pages):
    read = [path for path in pages.rglob("*") if path.suffix in (".html", ".css")]
    assert len(read) > 30
    found = {
        path.relative_to(pages): match[0]
        for path in read
        if (match := FETCHES.search(path.read_text(encoding="utf-8")))
    }
    assert not found


@pytest.mark.long
def test_every_public_name_and_every_notebook_has_its_place(pages):
    reference = "".join(
        path.read_text(encoding="utf-8") for path in pages.glob("docs/written/*.html")
    )
    described = set(re.findall(r'<dt class="sig[^>]*id="[^"]*?(\w+)"', reference))
    classes_and_functions = {
        name for name in eubrl_edu.__all__ if callable(getattr(eubrl_edu, name))
    }
    assert classes_and_functions <= described
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        assert (pages / "notebooks" / f"{notebook.stem}.html").exists()
