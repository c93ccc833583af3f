"""A cell run out of order is told what to run before it, and every other error is as it was."""

import os
import re
import sys
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel

from eubrl_edu.course import jupyter
from eubrl_edu.labs import cell_order

PAGE = {
    "title": "# Loops\n\nWhat is it about?",
    "imports": "%matplotlib inline\nimport numpy as np\nfrom eubrl_edu.labs import *",
    "two": "## Two loops\n\n```python\n# no heading\n```\n\n### Both, $2^N$",
    "world": "env, size = 'two', [way for way in 'LR']",
    "broken": "agent = = 3",
    "agent": "def plan(world):\n    hidden = world\n    return hidden",
    "again": "## Again",
    "third": "if True:\n    env = 'three'\n(found := 1)\nslept = await found",
    "asking": "print(env, plan(3), later)",
    "after": "import later.on",
}
MAKE = {True: nbformat.v4.new_markdown_cell, False: nbformat.v4.new_code_cell}
CELLS = [MAKE[text.startswith("#")](text, id=id_) for id_, text in PAGE.items()]


@pytest.mark.parametrize(
    ("name", "asking", "which"),
    [
        ("np", "asking", "the page's first cell"),
        ("RaceLab", "asking", "the page's first cell"),
        ("size", "asking", "the cell under “Both, $2^N$”"),
        ("plan", "asking", "cell 3 under “Both, $2^N$”"),
        ("env", "third", "the cell under “Both, $2^N$”"),
        ("env", "asking", "the cell under “Again”"),  # the later one, as on a page run in order
        ("found", "asking", "the cell under “Again”"),
        ("slept", "asking", "the cell under “Again”"),
        ("later", "not saved yet", "cell 3 under “Again”"),
    ],
)
def test_says_which_cell_makes_a_name(name, asking, which):
    words = f"Run {which} before this one: it makes `{name}`."
    plain = lambda source: re.sub("^%.*", "", source)  # noqa: E731
    assert cell_order.what_to_run_first(name, CELLS, asking, plain) == words


@pytest.mark.parametrize(
    ("name", "asking"),
    [
        ("env", "world"),  # only the cell itself, and those after it
        ("later", "asking"),
        ("way", "asking"),  # a name of its own list
        ("hidden", "asking"),  # and of its own function
        ("print", "after"),
        ("agent", "after"),
    ],
)
def test_is_silent_where_no_cell_before_makes_a_name(name, asking):
    assert cell_order.what_to_run_first(name, CELLS[2:], asking) is None


def test_a_page_without_headings():
    cells = [cell for cell in CELLS if cell["cell_type"] == "code"]
    words = cell_order.what_to_run_first("plan", cells[1:], "asking")
    assert words == "Run cell 3 of the page before this one: it makes `plan`."


# ---- the hook ----------------------------------------------------------------------------


def test_outside_a_kernel_and_beside_another_handler_nothing_is_set(monkeypatch):
    def refuse(kinds, handler):
        raise AssertionError("it was set")

    other = SimpleNamespace(kernel=1, custom_exceptions=(KeyError,), set_custom_exc=refuse)
    terminal = SimpleNamespace(custom_exceptions=(), set_custom_exc=refuse)
    for shell in (None, other, terminal):
        monkeypatch.setitem(
            sys.modules, "IPython", SimpleNamespace(get_ipython=lambda found=shell: found)
        )
        cell_order.tell_what_to_run_first()


@pytest.mark.parametrize("trouble", ["no notebook", "no file", "no page", "no cell"])
def test_trouble_in_the_handler_leaves_the_error_as_it_is(monkeypatch, tmp_path, trouble):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    if trouble != "no notebook":
        monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "page.ipynb"))
    if trouble in ("no page", "no cell"):
        (tmp_path / "page.ipynb").write_text('{"cells": 3}' if trouble == "no cell" else "{")
    shown = []
    names = {"__builtins__": __builtins__}
    parent = {"metadata": {} if trouble == "no cell" else {"cellId": "asking"}}
    shell = SimpleNamespace(
        user_ns=names,
        get_parent=lambda: parent,
        transform_cell=str,
        showtraceback=lambda error, tb_offset: shown.append(error),
    )
    with pytest.raises(NameError) as raised:
        exec("env", names)
    cell_order._show(shell, raised.type, raised.value, raised.tb)
    assert shown == [(raised.type, raised.value, raised.tb)]
    assert not hasattr(raised.value, "__notes__")


# ---- a real kernel -----------------------------------------------------------------------


@pytest.fixture(params=["the course's own server", "another server"])
def run(request, monkeypatch, tmp_path):
    """A function that runs code as the cell with this id, and returns the lines of its error."""
    nbformat.write(nbformat.v4.new_notebook(cells=CELLS), tmp_path / "page.ipynb")
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "page.ipynb"))
    monkeypatch.delenv("PYTHONSTARTUP", raising=False)
    is_own = request.param == "the course's own server"
    env = jupyter._with_our_settings() if is_own else dict(os.environ)
    manager, client = start_new_kernel(kernel_name="python3", env=env)

    def run(code, cell="asking"):
        # Else what comes right after an error is not run.
        content = {"code": code, "store_history": True, "stop_on_error": False}
        message = client.session.msg("execute_request", content)
        message["metadata"]["cellId"] = cell
        client.shell_channel.send(message)
        reply = client.get_shell_msg(timeout=60)
        # A kernel that is slow to start was asked more than once whether it is ready.
        while reply["parent_header"]["msg_id"] != message["header"]["msg_id"]:
            reply = client.get_shell_msg(timeout=60)
        text = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(reply["content"].get("traceback", [])))
        return re.sub(r"In\[\d+\]", "In[]", text).splitlines()

    if is_own:
        assert run("import sys as _; assert 'numpy' not in _.modules") == []
    else:
        assert run("np")[-1] == "NameError: name 'np' is not defined"
        assert run("from eubrl_edu import exercises as _") == []
    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_a_kernel_says_it_below_the_traceback(run):
    *traceback, words = run("print(env)")
    assert words == "Run the cell under “Again” before this one: it makes `env`."
    assert traceback[-1] == "NameError: name 'env' is not defined"
    assert any("----> 1 print(env)" in line for line in traceback)
    assert run("print(env)", cell="third")[-1].startswith("Run the cell under “Both")
    assert run("np.zeros(RaceLab)")[-1] == (
        "Run the page's first cell before this one: it makes `np`."
    )
    # In a function of the notebook, too.
    assert run("def use():\n    return env\nuse()")[-1] == words
    assert run("env = 3") == run("assert use() == 3") == []


OTHERS = (
    "nobody_makes_this",
    "raise NameError('my own')",
    "raise NameError('np', name='np')",
    "exec('env', {})",
    "def early():\n    print(env)\n    env = 1\nearly()",
    "1 / 0",
    "print(",
)


def test_all_other_errors_look_as_always(run):
    told = [run(code) for code in OTHERS]
    assert run("get_ipython().set_custom_exc((), None)") == []
    as_always = [run(code) for code in OTHERS]
    assert told == as_always and all(told)


def test_a_kernel_that_starts_with_it_has_no_name_more(run):
    names = "{name for name in globals() if name[0] != '_'}"
    empty = "{'In', 'Out', 'exit', 'quit', 'open', 'get_ipython'}"
    assert run(f"assert {names} <= {empty}, {names}") == []
