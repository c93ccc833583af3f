"""A real JupyterLab in a real Chromium, handled as a person would: keys, clicks and looking."""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, Playwright

ROOT = Path(__file__).parents[2]
SCREENSHOTS = Path(__file__).parent / "screenshots"

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)
CHROMIUM_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
)

# Generous, since nothing is timed: it only bounds how long a failure takes to show.
PATIENCE = 240_000  # a slow machine is no failure


def find_chromium() -> str | None:
    """The path of an installed Chromium or Chrome, if there is one."""
    found = (shutil.which(name) for name in CHROMIUM_NAMES)
    return next(filter(None, found), None) or next(
        (place for place in CHROMIUM_PLACES if Path(place).exists()), None
    )


def launch_chromium(playwright: Playwright, path: str) -> Browser:
    return playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_OPTIONS))


class JupyterServer:
    """A JupyterLab server on a free port of this machine, with settings and files of its own."""

    def __init__(self, folder: Path, python: str | Path = sys.executable) -> None:
        self.folder = folder
        self.python = str(python)
        self.notebooks = folder / "notebooks"
        self.notebooks.mkdir()
        self.token = secrets.token_hex(16)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def __enter__(self) -> "JupyterServer":
        self._write_settings()
        command = [self.python, "-m", "jupyterlab", "--no-browser", "--allow-root"]
        command += ["--ip=127.0.0.1", f"--port={self.port}", "--ServerApp.port_retries=0"]
        command += [
            f"--ServerApp.root_dir={self.notebooks}",
            f"--IdentityProvider.token={self.token}",
            "--ServerApp.jpserver_extensions=eubrl_edu.labs.prompt_server=True",
            "--LabApp.expose_app_in_browser=True",  # for `NotebookPage.close`
        ]
        self._log = (self.folder / "server.log").open("wb")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env=self._environment(),
            cwd=self.folder,
        )
        self._wait_until_it_answers()
        return self

    def __exit__(self, *exception) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._log.close()

    def url(self, notebook: str) -> str:
        # A workspace of its own, so that no page opens what another had open.
        workspace = secrets.token_hex(4)
        path = f"lab/workspaces/{workspace}/tree/{notebook}?token={self.token}"
        return f"http://127.0.0.1:{self.port}/{path}"

    def _write_settings(self) -> None:
        announcements = "@jupyterlab/apputils-extension:announcements"
        self._write(
            "config/labconfig/page_config.json", {"disabledExtensions": {announcements: True}}
        )
        # Every cell stays in the page, also those that are scrolled out of sight.
        self._write(
            "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings",
            {"windowingMode": "none"},
        )

    def _write(self, path: str, content: dict) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(content), encoding="utf-8")

    def _environment(self) -> dict[str, str]:
        folders = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
        }
        own = {name: str(self.folder / folder) for name, folder in folders.items()}
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        return os.environ | own | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}

    def _wait_until_it_answers(self) -> None:
        give_up = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < give_up and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api", timeout=5).close()
                return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        self._process.kill()
        raise RuntimeError("JupyterLab did not start:\n" + (self.folder / "server.log").read_text())


class NotebookPage:
    """One notebook, open in the browser: in the JupyterLab of this page, or in a new one."""

    def __init__(self, page: Page, server: JupyterServer, notebook: str) -> None:
        self.page = page
        page.set_default_timeout(PATIENCE)
        if page.url == "about:blank":
            page.goto(server.url(notebook))
        else:
            open_it = "path => { jupyterapp.commands.execute('docmanager:open', { path }); }"
            page.evaluate(open_it, notebook)
        self.notebook = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        # Until the kernel has a name, JupyterLab calls itself idle too.
        self.notebook.locator(".jp-Toolbar-kernelName", has_text="Python").wait_for()
        self._wait_until_idle()

    def close(self) -> None:
        """Close the notebook and end its kernel; JupyterLab, which takes long to load, stays."""
        self.page.evaluate(
            """async () => {
                for (const panel of [...jupyterapp.shell.widgets('main')]) panel.dispose();
                await jupyterapp.serviceManager.sessions.shutdownAll();
            }"""
        )

    def choose(self, menu: str, *entries: str) -> None:
        """Choose an entry of the menu bar, or of a submenu."""
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        for entry in entries:
            label = re.compile(f"^{re.escape(entry)}$")
            self.page.locator(".lm-Menu-itemLabel").filter(has_text=label).click()

    def run_all(self) -> None:
        """Run every cell, again if they have been run, and wait until all are done."""
        self.choose("Edit", "Clear Outputs of All Cells")
        self.choose("Run", "Run All Cells")
        self.page.wait_for_function(
            """() => [...document.querySelectorAll('.jp-CodeCell')].every(cell =>
                cell.querySelector('.cm-content')?.textContent.trim() === '' ||
                /\\[\\d+\\]/.test(cell.querySelector('.jp-InputArea-prompt').textContent))"""
        )
        self._wait_until_idle()
        # A widget's view arrives a moment after its cell is done.
        self.page.wait_for_function(
            """kind => [...document.querySelectorAll(`[data-mime-type="${kind}"]`)].every(
                output => output.textContent.trim() || output.querySelector('.jupyter-widgets'))""",
            arg="application/vnd.jupyter.widget-view+json",
        )

    def errors(self) -> list[str]:
        """The text of every error on the page; none in a good one."""
        kinds = "application/vnd.jupyter.error", "application/vnd.jupyter.stderr"
        outputs = [f'.jp-OutputArea-output [data-mime-type="{kind}"]' for kind in kinds]
        outputs += [f'.jp-OutputArea-output[data-mime-type="{kind}"]' for kind in kinds]
        texts = self.notebook.locator(", ".join(outputs)).all_inner_texts()
        return texts + self.notebook.get_by_text("Error displaying widget").all_inner_texts()

    def labs(self) -> list["LabOnPage"]:
        found = self.notebook.locator(".eubrl-lab")
        return [LabOnPage(found.nth(number)) for number in range(found.count())]

    def _wait_until_idle(self) -> None:
        indicator = ".jp-Notebook-ExecutionIndicator[data-status='idle']"
        self.notebook.locator(indicator).wait_for(state="attached")


class LabOnPage:
    """One lab on the page, found by what a person sees: labels, buttons, picture and words."""

    def __init__(self, root: Locator) -> None:
        self.root = root
        self.page = root.page
        self.readout = root.locator(".eubrl-readout")
        self.picture = root.locator("img.eubrl-figure")
        root.wait_for()
        self.page.wait_for_function(
            "picture => picture.complete && picture.naturalWidth > 0",
            arg=self.picture.element_handle(),
        )

    def words(self) -> str:
        return self.readout.inner_text()

    def picture_hash(self) -> str:
        """A hash of the bytes that the picture shows; the address alone is new each time."""
        return self.picture.evaluate(
            """async picture => {
                const shown = picture.src;
                if (picture.hashed !== shown) {
                    const bytes = await (await fetch(shown)).arrayBuffer();
                    const digest = await crypto.subtle.digest('SHA-256', bytes);
                    picture.hash = new Uint8Array(digest).join(' ');
                    picture.hashed = shown;
                }
                return picture.hash;
            }"""
        )

    def slider_names(self) -> list[str]:
        """The labels of all sliders that can be moved."""
        rows = self.root.locator(".widget-slider:has(.noUi-handle):not(:has([disabled]))")
        names = [rows.nth(n).locator(".widget-label").inner_text() for n in range(rows.count())]
        return [name for name in names if name]

    def slider(self, name: str) -> Locator:
        """The handle of the slider with this label."""
        label = self.page.get_by_text(name, exact=True)
        return self.root.locator(".widget-slider", has=label).locator(".noUi-handle").first

    def control(self, name: str) -> Locator:
        """What takes the keys of a slider, a list or a switch with this label."""
        words = re.compile(rf"^\s*{re.escape(name)}\s*$")
        label = self.page.locator(".widget-label", has_text=words)
        rows = self.root.locator(".widget-slider, .widget-dropdown", has=label)
        named = rows.locator("select, .noUi-handle")
        return (named if named.count() else self.root.locator("button", has_text=words)).first

    def use(self, control: Locator, key: str) -> None:
        """Press a key, click, or take the option before or after the present one of a list."""
        if key == "click":
            control.click()
        elif key in ("next option", "option before"):
            present = control.evaluate("list => list.selectedIndex")
            control.select_option(index=present + (1 if key == "next option" else -1))
        else:
            self.page.keyboard.press(key)

    def press_on_slider(self, name: str, key: str) -> None:
        self.slider(name).focus()
        self.page.keyboard.press(key)

    def press_button(self, name: str) -> None:
        self.button(name).click()

    def uncover(self) -> None:
        """Press *Show me*, where the lab asks first."""
        if self.button("Show me").count():
            picture = self.picture_hash()
            self.press_button("Show me")
            self.wait_until(lambda: self.picture_hash() != picture, "it is still covered")

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def field(self, name: str) -> Locator:
        """The box with this label that one types into."""
        label = self.page.get_by_text(name, exact=True)
        return self.root.locator(".jupyter-widgets", has=label).locator("input").last

    def type_into(self, name: str, text: str) -> None:
        field = self.field(name)
        field.fill(text)
        field.press("Enter")

    def wait_for_change(self, words: str, picture: str) -> None:
        """Wait until both the words and the picture differ from these."""
        self.wait_until(
            lambda: self.words() != words and self.picture_hash() != picture, "nothing changed"
        )

    def changes(self, words: str, picture: str) -> bool:
        """Whether words and picture come to differ from these, while it computes or soon after."""
        give_up = time.monotonic() + 1
        computing = self.root.get_by_role("button", name="Stop", exact=True, disabled=False)
        while time.monotonic() < give_up or computing.count():
            if self.words() != words and self.picture_hash() != picture:
                return True
            self.page.wait_for_timeout(50)
        return False

    def wait_for_words(self, fit: Callable[[str], bool]) -> None:
        self.wait_until(lambda: fit(self.words()), "the words did not come")

    def wait_until(self, condition: Callable[[], bool], complaint: str) -> None:
        give_up = time.monotonic() + PATIENCE / 1000
        while not condition():
            if time.monotonic() > give_up:
                raise AssertionError(f"{complaint}; the lab says: {self.words()}")
            self.page.wait_for_timeout(20)

    def screenshot(self, name: str) -> None:
        """Keep a picture of the lab for a person to look at."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.root.screenshot(path=SCREENSHOTS / f"{name}.png")

    def milliseconds_to_new_picture(self, name: str, keys: list[str]) -> list[float]:
        """For each use of a control: the time from it to the new picture on the screen.

        Measured inside the page: from the event to the first frame after the new picture has been
        decoded. Besides keys there are ``"click"``, ``"next option"`` and ``"option before"``.
        """
        control = self.control(name)
        control.focus()
        self.picture.evaluate(
            """picture => {
                window.pictureTimes = [];
                // The listeners of an earlier measurement on this page must not add to this one.
                window.pictureTiming?.abort();
                window.pictureTiming = new AbortController();
                const signal = window.pictureTiming.signal;
                let pressed = null;
                const press = () => { pressed = performance.now(); };
                for (const event of ['keydown', 'pointerdown', 'input'])
                    document.addEventListener(event, press, {capture: true, signal});
                picture.addEventListener('load', () => requestAnimationFrame(() => {
                    if (pressed === null) return;
                    window.pictureTimes.push(performance.now() - pressed);
                    pressed = null;
                }), {signal});
            }"""
        )
        for count, key in enumerate(keys, start=1):
            self.use(control, key)
            self.page.wait_for_function("count => window.pictureTimes.length >= count", arg=count)
        return self.page.evaluate("window.pictureTimes")
