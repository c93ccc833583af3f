"""A copy of the course is whole, and never takes away what a learner has done."""

import subprocess
from pathlib import Path

import pytest

from eubrl_edu.course import copy_course, find_notebooks
from eubrl_edu.course import material as material_of_the_course
from eubrl_edu.course.course_files import NAMES, course_files

ROOT = Path(__file__).parents[2]


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A small course, as it might be shipped; the tests write new versions of it."""
    folder = tmp_path / "shipped"
    for name in ("notebooks/00_start_here.ipynb", "notebooks/01_next.ipynb", "figures/chain.png"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"first version of {name}")
    monkeypatch.setattr(material_of_the_course, "material", lambda: folder)
    return folder


OWN = (
    "notebooks/RaceLab-1.png",
    "notebooks/progress.json",
    "notebooks/06_race-Copy1.ipynb",
    "notebooks/.ipynb_checkpoints/00_start_here-checkpoint.ipynb",
    "notebooks/slides/00_start_here.slides.html",
    "figures/data/my-runs.csv",
    "figures/data/runs.sqlite",
)


def git(folder, *arguments):
    own = ["-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false"]
    command = ["git", *own, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def use(folder):
    """Do what a learner does: answer in a page, and save things beside it."""
    (folder / "notebooks/00_start_here.ipynb").write_text("my answers")
    for name in OWN:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")


def test_of_a_used_clone_only_what_is_committed_is_the_course(shipped):
    git(shipped, "init", "--quiet")
    git(shipped, "add", ".")
    git(shipped, "commit", "--quiet", "-m", "the course")
    names = [path.relative_to(shipped).as_posix() for path in shipped.rglob("*.*")]
    committed = {name: f"first version of {name}".encode() for name in names if ".git" not in name}
    use(shipped)
    assert course_files(shipped) == committed and len(committed) == 3


def test_without_git_what_lies_beside_the_course_is_left_out_by_its_name(shipped):
    before = set(course_files(shipped))
    use(shipped)
    assert set(course_files(shipped)) == before and len(before) == 3


def test_both_ways_find_the_whole_course():
    tracked = git(ROOT, "ls-files", "notebooks", "figures").split()
    wanted = {name for name in tracked if not name.endswith(".sqlite")}
    assert set(course_files(ROOT)) == wanted == {name for name in tracked if NAMES.fullmatch(name)}


def test_first_copy_then_nothing_to_do(shipped, tmp_path):
    mine = tmp_path / "deep" / "mine"
    assert len(copy_course(mine).new) == 3
    for path in shipped.rglob("*.*"):
        assert (mine / path.relative_to(shipped)).read_bytes() == path.read_bytes()
    again = copy_course(mine)
    assert (again.new, again.updated, again.kept) == ((), (), ())


def test_a_new_version_is_taken_except_where_the_learner_has_changed_something(shipped, tmp_path):
    mine = tmp_path / "mine"
    copy_course(mine)
    (mine / "notebooks/01_next.ipynb").write_text("my answers")
    (mine / "notebooks/my_own.ipynb").write_text("my own page")
    for page in (shipped / "notebooks").iterdir():
        page.write_text("second version")
    copied = copy_course(mine)
    assert copied.updated == ("notebooks/00_start_here.ipynb",)
    assert copied.kept == ("notebooks/01_next.ipynb",)
    assert "notebooks/01_next.ipynb" in copied.describe()
    assert (mine / "notebooks/00_start_here.ipynb").read_text() == "second version"
    assert (mine / "notebooks/01_next.ipynb").read_text() == "my answers"
    assert (mine / "notebooks/my_own.ipynb").read_text() == "my own page"

    # What the words say is to be done takes the new one.
    (mine / "notebooks/01_next.ipynb").rename(mine / "notebooks/01_mine.ipynb")
    assert copy_course(mine).new == ("notebooks/01_next.ipynb",)
    assert (mine / "notebooks/01_mine.ipynb").read_text() == "my answers"


@pytest.mark.parametrize("record", [None, "", "{}", "[]", '{"files": 3}'])
def test_without_a_record_every_difference_is_the_learners(shipped, tmp_path, record):
    mine = tmp_path / "mine"
    copy_course(mine)
    file = mine / material_of_the_course.RECORD
    file.unlink() if record is None else file.write_text(record)
    for page in (shipped / "notebooks").iterdir():
        page.write_text("second version")
    copied = copy_course(mine)
    assert len(copied.kept) == 2 and copied.updated == ()


def test_a_file_is_no_folder(shipped, tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(ValueError, match="folder .*taken"):
        copy_course(tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_folder_in_the_place_of_a_page_is_named(shipped, tmp_path):
    mine = tmp_path / "mine"
    (mine / "notebooks" / "01_next.ipynb").mkdir(parents=True)
    with pytest.raises(OSError, match=r"01_next\.ipynb.* cannot be written to"):
        copy_course(mine)


def test_where_the_notebooks_are(shipped, tmp_path, monkeypatch):
    clone = find_notebooks()
    assert (clone / "01_beliefs.ipynb").is_file()
    mine = tmp_path / "mine"
    copy_course(mine)
    for here in (mine, mine / "notebooks"):
        monkeypatch.chdir(here)
        assert find_notebooks() == mine / "notebooks"
