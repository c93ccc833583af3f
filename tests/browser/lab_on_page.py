"""A lab in a browser, found by what a person sees and handled as by hand."""

import itertools
import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator
from playwright.sync_api import TimeoutError as NothingCame

SCREENSHOTS = Path(__file__).parent / "screenshots"
# Generous, since nothing is timed: it only bounds how long a failure takes to show.
PATIENCE = 240_000  # a slow machine is no failure
REST = 1000  # milliseconds of rest after which nothing more follows from what was moved
UNTIL_FOCUS_MOVES = 0.5  # seconds after an answer, generously
PARTS = ("prediction", "controls", "figure", "words")

# What the page is asked to wait for by itself: a look from outside takes 20 ms. It is busy while
# it computes, or the kernel has not done with all that came from the page.
BUSY = """
    const frame = () => Promise.race([
        new Promise(requestAnimationFrame), new Promise(done => setTimeout(done, 100))]);
    const isBusy = () => unanswered.size > 0 || [...lab.querySelectorAll('button')].some(
        button => button.textContent.trim() === 'Stop' && !button.disabled);
"""
SETTLES = """async (lab, within) => {
    BUSY
    const until = performance.now() + within;
    await frame();
    await frame();
    while (isBusy()) {
        if (performance.now() > until) return false;
        await frame();
    }
    return true;
}""".replace("BUSY", BUSY)
# The bytes that a picture shows; its address alone is new each time.
HASH = """async picture => {
    const shown = picture.src;
    if (picture.hashed !== shown) {
        const bytes = await (await fetch(shown)).arrayBuffer();
        const digest = await crypto.subtle.digest('SHA-256', bytes);
        picture.hash = new Uint8Array(digest).join(' ');
        picture.hashed = shown;
    }
    return picture.hash;
}"""
CHANGES = """async (lab, { words, picture, rest, patience }) => {
    BUSY
    const hash = HASH;
    const started = performance.now();
    let since = started;
    while (performance.now() < since + rest) {
        await frame();
        const said = lab.querySelector('.eubrl-readout').innerText;
        if (said !== words && await hash(lab.querySelector('img.eubrl-figure')) !== picture)
            return true;
        if (isBusy()) since = performance.now();
        if (since > started + patience)
            throw new Error(`it goes on computing; the lab says: ${said}`);
    }
    return false;
}""".replace("BUSY", BUSY).replace("HASH", HASH)


class LabOnPage:
    """One lab on the page, found by what a person sees: labels, buttons, picture and words."""

    def __init__(self, root: Locator) -> None:
        self.root = root
        self.page = root.page
        self.readout = root.locator(".eubrl-readout")
        self.picture = root.locator("img.eubrl-figure")
        root.wait_for()
        # What comes last is the part that runs in the page: it gives the picture its words.
        self.page.wait_for_function(
            "picture => picture.complete && picture.naturalWidth > 0 && picture.alt",
            arg=self.picture.element_handle(),
        )

    def words(self) -> str:
        return self.readout.inner_text()

    def picture_hash(self) -> str:
        """A hash of the bytes that the picture shows."""
        return self.picture.evaluate(HASH)

    def slider_names(self) -> list[str]:
        """The labels of all sliders that can be moved."""
        rows = self.root.locator(".widget-slider:has(.noUi-handle):not(:has([disabled]))")
        names = rows.locator(".widget-label").all_inner_texts()
        return [name for name in names if name]

    def control_names(self) -> list[str]:
        """What the controls are called."""
        return self.root.locator(".eubrl-controls :is(.widget-label, button)").all_inner_texts()

    def slider(self, name: str) -> Locator:
        """The handle of the slider with this label."""
        label = self.page.get_by_text(name, exact=True)
        return self.root.locator(".widget-slider", has=label).locator(".noUi-handle").first

    def control(self, name: str) -> Locator:
        """What takes the keys of a slider, a list or a switch with this label."""
        words = re.compile(rf"^\s*{re.escape(name)}\s*$")
        label = self.page.locator(".widget-label", has_text=words)
        rows = self.root.locator(".widget-slider, .widget-dropdown, .widget-text", has=label)
        box = self.root.locator(".widget-checkbox", has=self.page.get_by_text(name, exact=True))
        named = rows.locator("select, .noUi-handle, input").or_(box.locator("input"))
        return named.or_(self.root.locator("button", has_text=words)).first

    def use(self, control: Locator, key: str) -> None:
        """Press a key, click, or take the option before or after the present one of a list."""
        if key == "click":
            control.click()
        elif key in ("next option", "option before"):
            present = control.evaluate("list => list.selectedIndex")
            control.select_option(index=present + (1 if key == "next option" else -1))
        else:
            self.page.keyboard.press(key)

    def press_on_slider(self, name: str, key: str) -> bool:
        """Press a key on the slider; whether it moved, which it does not at its end."""
        handle = self.slider(name)
        before = handle.get_attribute("aria-valuetext")
        handle.focus()
        self.page.keyboard.press(key)
        return handle.get_attribute("aria-valuetext") != before

    def press_button(self, name: str) -> None:
        self.button(name).click()

    def uncover(self) -> None:
        """Press *Show me*, where the lab asks first."""
        if self.root.evaluate("lab => lab.classList.contains('eubrl-covered')"):
            picture = self.picture_hash()
            self.press_button("Show me")
            self.wait_until(lambda: self.picture_hash() != picture, "it is still covered")
            # It comes after the words; soon afterwards the keyboard's place moves to the controls.
            self.root.locator(".eubrl-verdict").wait_for()
            self.page.wait_for_timeout(1000 * UNTIL_FOCUS_MOVES)

    def present(self) -> None:
        """Press *Presentation*, and wait until the letters have grown."""
        picture = self.picture_hash()
        self.press_button("Presentation")
        self.wait_until(lambda: self.picture_hash() != picture, "the letters did not grow")
        self.wait_for_rest()

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

    def differs(self, words: str, picture: str) -> bool:
        """Whether both the words and the picture differ from these."""
        return self.words() != words and self.picture_hash() != picture

    def wait_for_change(self, words: str, picture: str) -> None:
        """Wait until both the words and the picture differ from these."""
        self.wait_until(lambda: self.differs(words, picture), "nothing changed")

    def changes(self, words: str, picture: str) -> bool:
        """Whether words and picture come to differ from these, while it computes or soon after."""
        waits = {"rest": REST, "patience": PATIENCE}
        return self.root.evaluate(CHANGES, {"words": words, "picture": picture} | waits)

    def settles(self, within: float) -> bool:
        """Whether all that was done on the page is answered within so many milliseconds."""
        return self.root.evaluate(SETTLES, within)

    def settle(self) -> None:
        """Wait until all that was done on the page has been answered."""
        assert self.settles(PATIENCE), f"it goes on computing; the lab says: {self.words()}"

    def wait_for_words(self, fit: Callable[[str], bool]) -> None:
        self.wait_until(lambda: fit(self.words()), "the words did not come")

    def wait_until(self, condition: Callable[[], bool], complaint: str) -> None:
        give_up = time.monotonic() + PATIENCE / 1000
        while not condition():
            if time.monotonic() > give_up:
                raise AssertionError(f"{complaint}; the lab says: {self.words()}")
            self.page.wait_for_timeout(20)

    def wait_for_dots(self, ratio: int, inches: float) -> None:
        """Wait until the picture has this many dots to the pixel of the page."""
        width = round(100 * inches * ratio)
        natural = "picture => picture.naturalWidth"
        self.wait_until(lambda: self.picture.evaluate(natural) == width, "it is not as sharp")

    def wait_for_work(self) -> None:
        """Wait until no long work is under way."""
        stop = self.root.get_by_role("button", name="Stop", exact=True, disabled=False)
        self.wait_until(lambda: stop.count() == 0, "it still computes")

    def resize(self, width: int, height: int) -> None:
        """Give the window this size, and wait until the lab has taken its place in it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function(f"() => innerWidth === {width} && innerHeight === {height}")
        self.wait_for_rest()

    def wait_for_rest(self) -> None:
        """Wait until no part has moved, nor the kernel had work, for a third of a second."""
        self.root.evaluate(
            """async (lab, { parts, patience }) => {
                const boxes = () => JSON.stringify(parts.map(
                    part => lab.querySelector(`.eubrl-${part}`)?.getBoundingClientRect()));
                const started = performance.now();
                let seen = boxes(), since = started;
                while (performance.now() < since + 333) {
                    await new Promise(requestAnimationFrame);
                    const now = boxes();
                    if (now !== seen || window.unanswered?.size) since = performance.now();
                    seen = now;
                    if (since > started + patience) throw new Error('it goes on moving');
                }
            }""",
            {"parts": PARTS, "patience": PATIENCE},
        )

    def parts(self) -> dict[str, dict[str, float]]:
        """The boxes of what the lab is made of; it does not always ask."""
        found = {name: self.root.locator(f".eubrl-{name}") for name in PARTS}
        return {name: part.bounding_box() for name, part in found.items() if part.count()}

    def assert_apart(self) -> None:
        """No part of the lab covers another."""
        for (one, a), (other, b) in itertools.combinations(self.parts().items(), 2):
            wide, high = (
                min(a[at] + a[size], b[at] + b[size]) - max(a[at], b[at])
                for at, size in (("x", "width"), ("y", "height"))
            )
            assert wide < 1 or high < 1, f"{one} and {other} overlap: {a}, {b}"

    def screenshot(self, name: str) -> None:
        """Keep a picture of the lab for a person to look at."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.root.screenshot(path=SCREENSHOTS / f"{name}.png")

    def milliseconds_to_new_picture(self, name: str, keys: list[str]) -> list[float]:
        """For each use of a control: the time from it to the new picture on the screen.

        Measured inside the page: from the event to the first frame after the new picture has been
        decoded. Besides keys there are ``"click"``, ``"next option"`` and ``"option before"``.
        Nothing is returned where one of them leaves the picture as it is.
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
        for key in keys:
            count = self.page.evaluate("window.pictureTimes.length")
            self.use(control, key)
            arrived = "count => window.pictureTimes.length > count"
            try:
                self.page.wait_for_function(arrived, arg=count, timeout=20_000)
            except NothingCame:
                return []
            self.wait_for_work()
        return self.page.evaluate("window.pictureTimes")
