"""A film of a lab holds the pictures that the lab shows, one for each place of its control."""

import asyncio
import io
import os
import stat
import time
from functools import cache

import numpy as np
import pytest
from PIL import Image

from eubrl_edu.labs import BeliefLab, ExplorationLab, GuidanceLab, film, slices
from tests.labs.test_slow_lab import SumLab


def pixels(picture):
    return np.asarray(picture.convert("RGB")).astype(float)


def shown(lab):
    return pixels(Image.open(io.BytesIO(lab.picture.value)))


@cache
def shown_after(seen):
    return shown(BeliefLab(seen_a=seen))


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_the_pictures_are_the_labs_and_it_stays_where_it_was(tmp_path, capsys, kind):
    lab = BeliefLab(seen_a=1)
    before, words = lab.picture.value, repr(lab)
    path = lab.save_run(tmp_path / f"belief.{kind}", over={"seen_a": [0, 3, 9]}, seconds=0.1)
    assert (lab.picture.value, repr(lab), lab.controls["seen_a"].value) == (before, words, 1)
    written = Image.open(path)
    assert written.n_frames == 3 and written.info["loop"] == 0
    durations = []
    for number, value in enumerate([0, 3, 9]):
        written.seek(number)
        written.load()
        durations.append(written.info["duration"])
        right, other = shown_after(value), shown_after(20)
        assert np.abs(pixels(written) - right).mean() < 2 < np.abs(pixels(written) - other).mean()
    assert durations == [100, 100, 2000]
    foretold = capsys.readouterr().out
    assert foretold.startswith(f"belief.{kind}: 3 pictures, up to 0.")
    assert path.stat().st_size / 1e6 < float(foretold.split()[-2]) + 0.05


@pytest.mark.parametrize("seen", [[9], [0, 9]])
def test_a_short_film_is_no_larger_than_it_was_said_to_be(tmp_path, capsys, lab, seen):
    path = lab.save_run(tmp_path / "belief.gif", over={"seen_a": seen})
    foretold = float(capsys.readouterr().out.split()[-2])
    assert path.stat().st_size / 1e6 == pytest.approx(foretold, rel=0.06)  # told in two digits


def test_who_films_a_value_that_cannot_be_here_hears_what_to_do(tmp_path):
    words = r"stochastic must be False for loop, got True; .*; say which values it is to take"
    with pytest.raises(ValueError, match=words):
        ExplorationLab(world="loop", size=1, steps=10).save_run(
            tmp_path / "film.gif", over="stochastic"
        )
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_a_run_is_filmed_from_its_first_step_to_its_last(tmp_path):
    lab = ExplorationLab(world="loop", size=1, steps=40, time=7)
    written = Image.open(lab.save_run(tmp_path / "run.gif"))
    assert written.n_frames == 41
    written.seek(40)
    last = ExplorationLab(world="loop", size=1, steps=40, time=40)
    assert np.abs(pixels(written) - shown(last)).mean() < 2


@pytest.fixture(scope="module")
def lab():
    """A lab of which no test makes a film."""
    return BeliefLab()


@pytest.mark.parametrize(
    ("over", "name", "words"),
    [
        ("depth", "film.gif", "unknown control 'depth'"),
        ({"seen_a": []}, "film.gif", "at least one value of seen_a"),
        ("seen_a", "film.avi", "unknown format of a film 'avi'"),
        ({"seen_a": [1], "seen_b": [2]}, "film.gif", "must name one control, got 2"),
        (None, "film.gif", "BeliefLab shows no run over time: say what is to move, as in over="),
    ],
)
def test_what_cannot_be_filmed_is_refused(lab, tmp_path, over, name, words):
    with pytest.raises(ValueError, match=words):
        lab.save_run(tmp_path / name, over)
    assert not list(tmp_path.iterdir())


def test_a_film_too_large_or_too_quick_is_not_begun(lab, tmp_path):
    words = "film.gif would have 2 pictures and up to 0.* MB, more than 0.01: give fewer values"
    with pytest.raises(ValueError, match=words):
        lab.save_run(tmp_path / "film.gif", {"seen_a": [1, 2]}, most_megabytes=0.01)
    with pytest.raises(ValueError, match="seconds must be in .0.02, 30., got 0.0"):
        lab.save_run(tmp_path / "film.gif", {"seen_a": [1, 2]}, seconds=0)
    assert not list(tmp_path.iterdir())


def test_pictures_that_are_the_same_are_refused_where_a_gif_cannot_count_so_far(lab, tmp_path):
    same = {"seen_a": [1, 1, 1]}
    with pytest.raises(ValueError, match="seconds must be fewer .*, got 30: .* or write a .webp"):
        lab.save_run(tmp_path / "film.gif", same, seconds=30)
    assert not list(tmp_path.iterdir())
    assert lab.save_run(tmp_path / "film.gif", same, seconds=29).is_file()
    assert lab.save_run(tmp_path / "film.webp", same, seconds=30).is_file()


def program(folder, lines):
    """A program of that name, first on the path."""
    path = folder / "ffmpeg"
    path.write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="the stand-in for ffmpeg is a shell script")
def test_ffmpeg_gets_every_picture_and_what_it_complains_of_is_said(tmp_path, monkeypatch):
    # It keeps what it is given, under the name that it is given last.
    takes = 'for last; do :; done; cat > "$last"'
    monkeypatch.setenv("PATH", program(tmp_path, takes))
    path = BeliefLab().save_run(tmp_path / "belief.mp4", over={"seen_a": [0, 3]})
    assert path.read_bytes().count(b"\x89PNG") == 1 + film.LAST_STAYS
    monkeypatch.setenv("PATH", program(tmp_path, "cat > /dev/null; echo no such codec >&2; exit 1"))
    with pytest.raises(OSError, match="ffmpeg could not write .*no such codec"):
        BeliefLab().save_run(tmp_path / "belief.mp4", over={"seen_a": [0, 3]})


def test_without_ffmpeg_an_mp4_is_refused(lab, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="an .mp4 needs the program ffmpeg"):
        lab.save_run(tmp_path / "film.mp4", "seen_a")


class FilmedLab(SumLab):
    plays = "time"


@pytest.fixture
def without_ffmpeg(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(film.shutil, "which", lambda name: None)


@pytest.mark.long
def test_save_writes_the_run_too(tmp_path, without_ffmpeg, capsys):
    names = [path.name for path in FilmedLab().save(tmp_path)]
    kinds = ("png", "svg", "csv", "py", "gif")
    assert names == [f"FilmedLab-1.{kind}" for kind in kinds]
    assert "FilmedLab-1.gif: 51 pictures, up to" in capsys.readouterr().out
    assert [path.suffix for path in GuidanceLab().save(tmp_path)] == [".png", ".svg", ".csv", ".py"]


@pytest.mark.long
def test_the_button_saves_the_run_in_slices_and_can_be_stopped(tmp_path, without_ffmpeg):
    async def press(times):
        lab = FilmedLab()
        said = []
        lab.saved.observe(lambda change: said.append(change["new"]), names="value")
        for _ in range(times):
            lab.save_button.click()
            await asyncio.sleep(0.1)
        while lab.save_button.description != "Save":
            await asyncio.sleep(0.01)
        return said

    said = asyncio.run(press(2))
    assert said[-1] == "Stopped: the run is not saved"
    assert not list(tmp_path.glob("*.gif"))
    said = asyncio.run(press(1))
    assert said[-1].endswith("FilmedLab-2 (.png, .svg, .csv, .py, .gif)")
    assert any("FilmedLab-2.gif: 51 pictures, up to 0." in words for words in said[:-1])
    assert Image.open(tmp_path / "FilmedLab-2.gif").n_frames > 1


def test_a_run_that_cannot_be_written_is_said_and_the_rest_is_there(
    tmp_path, without_ffmpeg, monkeypatch
):
    def full(*arguments):
        raise OSError("no space left")

    monkeypatch.setattr(film, "_encode", full)
    lab = FilmedLab()
    lab.save_button.click()
    assert lab.saved.value.endswith("(.png, .svg, .csv, .py), but not the run: no space left")
    assert lab.save_button.description == "Save"


def test_all_files_of_a_save_are_of_one_run_also_while_another_is_under_way(
    tmp_path, without_ffmpeg, monkeypatch
):
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)

    async def save_meanwhile():
        lab = ExplorationLab(world="chain", steps=10)
        lab.load(steps=12)
        assert lab._job is not None and "steps=10" in lab.code
        return lab, lab.save(tmp_path)

    lab, files = asyncio.run(save_meanwhile())
    line = next(file for file in files if file.suffix == ".py").read_text(encoding="utf-8")
    assert lab.code in line and "steps=12" in line
    assert any(file.suffix == ".gif" for file in files)


def test_what_was_stopped_is_saved_as_far_as_it_went(tmp_path, without_ffmpeg, monkeypatch):
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)

    async def stop_early():
        lab = ExplorationLab(world="loop", size=1, steps=4)
        lab.controls["steps"].value = 500
        while lab.progress.value < 0.01:
            await asyncio.sleep(0)
        lab.stop_button.click()
        return lab

    lab = asyncio.run(stop_early())
    done = len(lab.state.run)
    assert 0 < done < 500 and f"steps={done}" in lab.code
    files = {file.suffix: file for file in lab.save(tmp_path)}
    assert lab.code in files[".py"].read_text(encoding="utf-8")
    assert f"run.params.steps,,{done}\n" in files[".csv"].read_text(encoding="utf-8")
    assert Image.open(files[".gif"]).n_frames == done + 1


def test_work_under_way_is_finished_first_and_not_done_twice(tmp_path, without_ffmpeg):
    async def save_meanwhile():
        lab = FilmedLab()
        begun, prepare = [], lab.prepare

        def slowly(params):
            begun.append(params.count)
            time.sleep(0.02)  # longer than the slice that is taken at once
            yield 0.0
            return (yield from prepare(params))

        lab.prepare = slowly
        lab.controls["count"].value = 400
        lab.save_run(tmp_path / "film.gif")
        return lab, begun

    lab, begun = asyncio.run(save_meanwhile())
    assert (lab.state.count, lab._job) == (400, None)
    assert begun == [400, 400]  # the work that was under way, and the same to its end
