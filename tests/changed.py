"""The tests of what has changed since the branch left main, in at most half a minute: `make check`.

Chosen are test files that have changed, that mirror a changed file by name, or that import it. What
no time is left for is skipped, and said to be; tests in a browser are left to `make test`.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SECONDS = 20
AROUND_THE_PACKAGE = ["tests/test_readme.py", "tests/test_setup.py"]


def changed_files() -> list[str]:
    """Files that differ from where this branch left main, committed or not."""
    bases = (_git("merge-base", "HEAD", main) for main in ("origin/main", "main"))
    base = next(filter(None, bases), ["HEAD"])[0]
    return _git("diff", "--name-only", base) + _git("ls-files", "--others", "--exclude-standard")


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


def find_tests(changed: list[str], tests: dict[str, str]) -> list[str]:
    """The test files to run, those nearest to what has changed first.

    ``tests`` holds the text of every test file, by its path.
    """
    itself, mirrors, importers = [], [], []
    for name in changed:
        path = Path(name)
        if name in tests:
            itself.append(name)
        elif path.suffix == ".py" and path.parts[0] == "eubrl_edu":
            module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
            place = "/".join(path.parts[1:-1])
            own = rf"tests/{place}/?.*test_{path.stem.strip('_')}\w*\.py$"
            mirrors += [test for test in tests if re.match(own, test)]
            imported = re.compile(rf"\b{re.escape(module)}\b")
            importers += [test for test, text in tests.items() if imported.search(text)]
        elif path.suffix == ".ipynb" and (ROOT / path).exists():
            itself.append(name)
        elif len(path.parts) == 1:
            importers += AROUND_THE_PACKAGE
    chosen = dict.fromkeys(itself + mirrors + importers)
    return [name for name in chosen if not name.startswith("tests/browser/")]


if __name__ == "__main__":
    files = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py")]
    chosen = find_tests(changed_files(), {name: (ROOT / name).read_text("utf-8") for name in files})
    chosen = [name for name in chosen if (ROOT / name).exists()]
    print(
        "\n".join(["Tests of what has changed:", *(f"    {name}" for name in chosen or ["none"])])
    )
    options = ["--quiet", "--nbval", "--nbval-current-env", f"--within={SECONDS}", "-rs"]
    sys.exit(pytest.main([*sys.argv[1:], *options, *chosen]) if chosen else 0)
