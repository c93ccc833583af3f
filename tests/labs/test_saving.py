"""What leaves a lab says what the lab showed."""

import ast
import asyncio
import csv
import io
import itertools
import json
import re
from base64 import b64decode

import gymnasium
import matplotlib
import numpy as np
import pytest
from PIL import Image

import eubrl_edu as eu
from eubrl_edu import labs
from eubrl_edu.labs import (
    BayesOptimalLab,
    BoundsLab,
    DecompositionLab,
    ExplorationLab,
    GuidanceLab,
    RaceLab,
    controls,
    slices,
)


@pytest.fixture(scope="module")
def lab():
    return GuidanceLab(eta=2.0, n=3)


def test_the_line_of_python_makes_a_lab_that_shows_the_same(lab):
    assert lab.code == "GuidanceLab(eta=2.0, n=3)"
    assert eval(lab.code).picture.value == lab.picture.value


def test_the_line_says_no_more_than_it_must_and_no_less():
    brought = ExplorationLab(world="deepsea", size=3, steps=20)
    assert brought.code == "ExplorationLab(world='deepsea', size=3, steps=20)"
    changed = ExplorationLab(world="deepsea", size=3, steps=20, eta=0.5)
    assert changed.params.eta == ExplorationLab.Params().eta != brought.params.eta
    assert changed.code == "ExplorationLab(world='deepsea', size=3, eta=0.5, steps=20)"


@pytest.mark.parametrize("kind", [DecompositionLab, ExplorationLab, RaceLab])
def test_while_a_lab_computes_the_line_is_that_of_the_picture(kind, monkeypatch):
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)

    async def session():
        lab = kind(steps=30)
        line, picture = lab.code, lab.picture.value
        lab.controls["seed"].value = 7
        assert lab._job is not None and lab.picture.value == picture
        assert lab.code == line == f"{kind.__name__}(steps=30)"
        lab.finish_work()
        assert "seed=7" in lab.code

    asyncio.run(session())


def stubborn(world):
    return eu.make_agent("Q-learning", world)


def test_the_line_names_what_is_ones_own(tmp_path):
    """It is Python, and makes the same lab where those names mean the same."""
    lake = gymnasium.make("FrozenLake-v1")
    agents = {"stubborn": stubborn, "nameless": lambda world: stubborn(world)}
    lab = RaceLab(world=lake, agents=agents, steps=20, seeds=1)
    assert lab.code.endswith("  # your own: make_nameless, my_world, stubborn")
    assert "\n" not in lab.code
    ast.parse(lab.code)
    names = {"my_world": lake, "stubborn": stubborn, "make_nameless": agents["nameless"]}
    script = next(path for path in lab._save_moment(tmp_path) if path.suffix == ".py")
    *imports, line = [line for line in script.read_text("utf-8").splitlines() if line]
    exec("\n".join([*imports, f"again = {line}"]), names)
    assert repr(names["again"]) == repr(lab)


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_picture_is_written_and_the_lab_shows_its_own_again(lab, tmp_path, kind):
    before = lab.picture.value
    path = lab.save_figure(tmp_path / f"picture.{kind}")
    assert lab.picture.value == before
    if kind == "png":
        saved = np.asarray(Image.open(path).convert("RGB"), dtype=float)
        shown = np.asarray(Image.open(io.BytesIO(before)), dtype=float)
        # The artists that move are on it too.
        assert np.abs(saved - shown).mean() < 0.5
    else:
        assert path.stat().st_size > 5000


def test_a_saved_picture_has_the_numbers_along_its_axes_once(tmp_path):
    """Beside and below the axes a saved picture is the one that is shown, to the letter."""
    lab = BoundsLab()
    saved = np.asarray(Image.open(lab.save_figure(tmp_path / "bounds.png")).convert("RGB"), int)
    shown = np.asarray(Image.open(io.BytesIO(lab.picture.value)), int)
    left = int(lab.figure.axes[0].get_position().x0 * shown.shape[1]) - 8
    assert np.abs(saved - shown)[:, :left].max() < 10
    assert shown[:, :left].min() < 100


def test_a_saved_picture_is_white_whatever_colour_is_usual_for_files(lab, tmp_path):
    with matplotlib.rc_context({"savefig.facecolor": "black"}):
        saved = Image.open(lab.save_figure(tmp_path / "picture.png")).convert("RGB")
    assert saved.getpixel((0, 0)) == (255, 255, 255)


def test_a_format_that_is_none_is_named(lab, tmp_path):
    with pytest.raises(ValueError, match="unknown format of a picture 'bmp'"):
        lab.save_figure(tmp_path / "picture.bmp")


def test_the_numbers_are_those_of_the_state(lab, tmp_path):
    with lab.save_data(tmp_path / "numbers.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    mean = [float(row["value"]) for row in rows if row["quantity"] == "mean_reward"]
    np.testing.assert_allclose(mean, lab.state.mean_reward)
    assert {row["quantity"] for row in rows} >= {"params.eta", "epistemic_uncertainty"}


def test_numbers_do_not_say_where_controls_stood_when_the_run_was_made(tmp_path):
    lab = labs.ExplorationLab(world="bandit", steps=40)
    lab.set(time=20)
    with lab.save_data(tmp_path / "numbers.csv").open(encoding="utf-8") as file:
        values = {row["quantity"]: row["value"] for row in csv.DictReader(file)}
    assert values["time"] == "20" and values["run.params.steps"] == "40"
    assert "run.params.time" not in values


def test_numbers_of_a_tree_are_named_by_level_and_node(tmp_path):
    """Its levels have 1, 2 and 4 nodes; one one has been seen at the first node after a try."""
    path = BayesOptimalLab(levels=2).save_data(tmp_path / "tree.csv")
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    reached = {
        row["quantity"]: float(row["value"]) for row in rows if ".reached" in row["quantity"]
    }
    nodes = [(level, node) for level in range(3) for node in range(2**level)]
    assert list(reached) == [f"levels.{level}.{node}.reached" for level, node in nodes]
    for level in range(3):
        of_level = [reached[f"levels.{level}.{node}.reached"] for node in range(2**level)]
        assert sum(of_level) == pytest.approx(1)
    seen = [row["value"] for row in rows if row["quantity"] == "levels.1.0.counts"]
    assert seen == ["1", "0", "0", "0"]


def test_saving_twice_overwrites_nothing(lab, tmp_path):
    names = sorted(path.name for _ in range(2) for path in lab.save(tmp_path))
    assert names == [
        f"GuidanceLab-{n}.{kind}" for n in (1, 2) for kind in ("csv", "png", "py", "svg")
    ]
    assert "GuidanceLab(eta=2.0, n=3)" in (tmp_path / "GuidanceLab-1.py").read_text("utf-8")


def page_of(path):
    text = path.read_text("utf-8")
    assert "://" not in text  # it fetches nothing; "http" may stand in a picture by chance
    return json.loads(re.search(r"const page = (.*);\n", text)[1])


@pytest.mark.long
def test_every_place_of_the_controls_has_its_frame(lab, tmp_path, capsys):
    before, words = lab.picture.value, repr(lab)
    values = {"n": [0, 3, 10], "eta": [0.5, 2.0]}
    page = page_of(lab.save_page(tmp_path / "page.html", over=values))
    assert "page.html: 6 frames, about 0." in capsys.readouterr().out
    assert lab.picture.value == before and repr(lab) == words
    assert [control["name"] for control in page["controls"]] == ["after n tries", "η"]
    assert [control["start"] for control in page["controls"]] == [1, 1]
    for place, (n, eta) in enumerate((n, eta) for n in values["n"] for eta in values["eta"]):
        other = GuidanceLab(n=n, eta=eta)
        assert page["frames"][place]["words"] == repr(other)
        picture = Image.open(io.BytesIO(b64decode(page["frames"][place]["picture"])))
        shown = Image.open(io.BytesIO(other.picture.value)).resize(picture.size)
        difference = np.asarray(picture.convert("RGB"), float) - np.asarray(shown, float)
        assert np.abs(difference).mean() < 6  # it is drawn finer, and has fewer colours


@pytest.mark.long
def test_long_work_is_done_once_for_all_places_of_a_quick_control(tmp_path, monkeypatch):
    lab = DecompositionLab(steps=30)
    prepared = []
    prepare = lab.prepare
    monkeypatch.setattr(lab, "prepare", lambda params: prepared.append(params) or prepare(params))
    page = page_of(lab.save_page(tmp_path / "p.html", over={"time": [1, 30], "seed": [0, 1]}))
    assert [control["name"] for control in page["controls"]] == ["seed", "step"]
    assert len(page["frames"]) == 4 and [params.seed for params in prepared] == [1]
    assert len({frame["words"] for frame in page["frames"]}) == 4


@pytest.mark.long
def test_a_page_goes_over_all_worlds_where_one_of_them_is_ones_own(tmp_path):
    world = eu.make_env(gymnasium.make("FrozenLake-v1"))
    lab = ExplorationLab(world=world, steps=5)
    page = page_of(lab.save_page(tmp_path / "page.html", over="world"))
    (moved,) = page["controls"]
    assert moved["values"] == [*eu.environments.WORLDS, str(world)] and moved["start"] == 5
    assert len({frame["words"] for frame in page["frames"]}) == 6
    with pytest.raises(ValueError, match="world must be one of chain, loop, .*FrozenLake"):
        controls.stand_at(lab.controls["world"], "world", 3)


@pytest.mark.parametrize(
    ("settings", "over"),
    [
        ({"world": "deepsea", "size": 4, "steps": 30, "eta": 3.0}, {"size": [4, 5]}),
        ({"steps": 30, "eta": 0.7, "seed": 3, "time": 12}, {"world": ["loop", "chain"]}),
        ({"steps": 30}, {"world": ["chain", "deepsea"]}),  # it stands in neither of them
        ({"steps": 30, "eta": 0.7}, {"agent": ["BEB", "EUBRL"], "seed": [1, 0]}),
    ],
)
def test_a_page_opens_on_what_its_line_of_python_makes(tmp_path, settings, over):
    page = page_of(ExplorationLab(**settings).save_page(tmp_path / "page.html", over=over))
    places = [control["start"] for control in page["controls"]]
    place = np.ravel_multi_index(places, [len(control["values"]) for control in page["controls"]])
    frame = page["frames"][place]
    assert repr(eval(frame["code"])) == frame["words"]


def test_each_frame_has_its_line_of_python_and_a_value_that_tells_it_apart(tmp_path):
    over = {"eta": [1.0, 1.00001, 1.00004]}
    page = page_of(GuidanceLab(n=3).save_page(tmp_path / "page.html", over=over))
    assert page["controls"][0]["values"] == ["1.0", "1.00001", "1.00004"]
    lines = ["GuidanceLab(n=3)", "GuidanceLab(eta=1.00001, n=3)", "GuidanceLab(eta=1.00004, n=3)"]
    assert [frame["code"] for frame in page["frames"]] == lines


def test_what_is_called_like_a_part_of_the_page_does_not_break_it(tmp_path):
    name = "<!--<script> $page $title"
    lab = RaceLab(agents={name: stubborn}, steps=20, seeds=1)
    path = lab.save_page(tmp_path / "page.html", over={"seed": [0, 1]})
    assert name in page_of(path)["frames"][0]["words"]
    assert path.read_text("utf-8").count("<script") == 1


@pytest.mark.long
def test_a_page_over_worlds_and_sizes_has_the_settings_of_each(tmp_path):
    over = {"world": ["deepsea", "lazychain"], "size": [4, 10]}
    lab = ExplorationLab(world="deepsea", size=4, steps=20)
    page = page_of(lab.save_page(tmp_path / "page.html", over=over))
    for frame, (world, size) in zip(page["frames"], itertools.product(*over.values()), strict=True):
        kept = {"steps": 20} if world == "deepsea" else {}  # another world brings its own
        assert frame["words"] == repr(ExplorationLab(world=world, size=size, **kept))


@pytest.mark.parametrize(
    ("over", "words"),
    [
        ("tine", "unknown control 'tine'"),
        (("eta", "n", "mu0"), "one or two different controls, got 3"),
        ((), "one or two different controls, got 0"),
        (("eta", "eta"), "one or two different controls, got 2"),
    ],
)
def test_what_cannot_be_a_page_is_said(lab, tmp_path, over, words):
    with pytest.raises(ValueError, match=words):
        lab.save_page(tmp_path / "page.html", over=over)
    assert not list(tmp_path.iterdir())


def test_who_asks_for_another_labs_time_hears_what_play_moves(tmp_path):
    lab = DecompositionLab(steps=30)
    with pytest.raises(ValueError, match="unknown control 'until'.* What Play moves is 'time'"):
        lab.save_page(tmp_path / "page.html", over="until")


def test_a_page_that_would_be_too_large_is_not_begun(lab, tmp_path, monkeypatch):
    words = r"over eta and n would have 196 frames and about .* MB, more than 1: leave out eta"
    with pytest.raises(ValueError, match=words):
        lab.save_page(tmp_path / "page.html", over=("eta", "n"), most_megabytes=1)
    assert not list(tmp_path.iterdir())


def test_the_save_button_says_where(lab, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lab.save_button.click()
    assert "GuidanceLab-1 (.png, .svg, .csv, .py)" in lab.saved.value


@pytest.mark.parametrize(
    ("name", "moved"), [("GuidanceLab", "eta"), ("BeliefLab", "alpha"), ("PriorLab", "alpha")]
)
def test_kept_curves_stay_as_pale_lines_and_go(name, moved):
    lab = getattr(labs, name)()
    before = lab.picture.value
    lab.keep_button.value = True
    control = lab.controls[moved]
    start, control.value = control.value, 0.5
    with_ghost = lab.picture.value
    lab.keep_button.value = False
    assert lab.picture.value not in (with_ghost, before)
    control.value = start
    assert lab.picture.value == before


def test_a_page_opens_where_its_line_of_python_does(tmp_path):
    path = GuidanceLab().save_page(tmp_path / "page.html", over={"n": [0, 3]})
    assert GuidanceLab().params.n not in (0, 3)
    assert page_of(path)["controls"][0]["start"] == 0 and "GuidanceLab(n=0)" in path.read_text()
