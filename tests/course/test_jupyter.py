"""The command that opens JupyterLab: which page, which options, and what runs beside it."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from eubrl_edu.cli import main
from eubrl_edu.course import jupyter


@pytest.fixture
def started(monkeypatch):
    """Every command that is started, none of which runs; the server's exit status is 7."""
    commands = []

    class Process:
        def __init__(self, command, **options):
            commands.append(command)

        def wait(self):
            return 7

        def terminate(self):
            commands.append("terminated")

    monkeypatch.setattr(subprocess, "Popen", Process)
    return commands


def test_opens_the_first_page_and_compiles_meanwhile(started):
    assert main(["lab"]) == 7
    compiling, opened, end = started
    assert "eubrl_edu.engine" in compiling[-1] and end == "terminated"
    assert "--LabApp.default_url=/lab/tree/00_start_here.ipynb" in opened
    assert ("--allow-root" in opened) == (os.name == "posix" and os.geteuid() == 0)


def test_options_are_passed_on_to_jupyterlab(started, tmp_path):
    page = tmp_path / "my page.ipynb"
    page.write_text("{}")
    main(["lab", "--port", "9000", str(page), "--no-browser"])
    opened = started[1]
    assert opened[-3:] == ["--port", "9000", "--no-browser"]
    assert f"--notebook-dir={tmp_path}" in opened
    assert "--LabApp.default_url=/lab/tree/my%20page.ipynb" in opened


@pytest.mark.long
def test_jupyterlab_does_not_ask_about_its_news_or_offer_what_asks_the_network():
    """Its own reading of its settings, in a process that has the environment of the server."""
    code = "from jupyterlab_server.config import get_page_config as g; print(g([]))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=jupyter._with_our_settings(), capture_output=True, text=True)
    assert "@jupyterlab/apputils-extension:announcements" in done.stdout, done.stderr
    assert "@voila-dashboards/jupyterlab-preview" in done.stdout


def test_kernels_run_ours_first_unless_the_learner_has_another_file_for_that(monkeypatch):
    monkeypatch.delenv("PYTHONSTARTUP", raising=False)
    assert Path(jupyter._with_our_settings()["PYTHONSTARTUP"]).is_file()
    monkeypatch.setenv("PYTHONSTARTUP", "mine.py")
    assert jupyter._with_our_settings()["PYTHONSTARTUP"] == "mine.py"


def test_a_server_starts_without_the_grammar_that_no_file_of_jupyters_asks_for():
    """Of all that JupyterLab loads, that one is refused; its own options reach it."""
    server = [sys.executable, "-X", "importtime", "-m", "eubrl_edu.course.server"]
    done = subprocess.run([*server, "jupyterlab", "--version"], capture_output=True, text=True)
    assert done.stdout.strip() == version("jupyterlab"), done.stderr
    assert "jsonschema._format" in done.stderr and "lark" not in done.stderr


def test_the_stage_is_on_loopback_only(started):
    assert main(["present", "--port", "9000", "--no-browser"]) == 7
    compiling, opened, end = started
    assert "eubrl_edu.engine" in compiling[-1] and end == "terminated"
    assert opened[-2:] == ["--ServerApp.port=9000", "--ServerApp.open_browser=False"]
    assert "--ServerApp.ip=127.0.0.1" in opened
    assert "--ServerApp.default_url=/voila/render/stage.ipynb" in opened
