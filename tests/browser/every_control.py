"""Use whatever a hand can use in a lab, one control after the other."""

from collections.abc import Iterator

from playwright.sync_api import ElementHandle

from tests.browser.lab_on_page import LabOnPage

CONTROLS = "button, select, input, .noUi-handle"
LONG = 500  # milliseconds of work after which a person presses Stop


def use_every_control(lab: LabOnPage) -> Iterator[str]:
    """Open *More*, and use whatever can be used at its turn; yield what was, when answered.

    Every slider and box a step there and back, every option of every list, every button but
    *Save*, which writes files and is tested where they are looked at.
    """
    if lab.button("More").count():
        lab.button("More").click()
    settle(lab)
    for control in lab.root.locator(CONTROLS).element_handles():
        is_save = control.text_content().strip() == "Save"
        if not is_save and control.is_visible() and control.is_enabled():
            yield from _use(lab, control)


def _use(lab: LabOnPage, control: ElementHandle) -> Iterator[str]:
    kind = control.evaluate(
        "control => control.matches('.noUi-handle') ? 'slider' : control.type || control.tagName"
    )
    words = control.evaluate(
        "control => control.ariaLabel || control.title ||"
        " control.textContent || control.parentElement.textContent"
    )
    name = f"{kind} {words.strip()[:60]}"
    if kind == "select-one":
        for option in range(control.evaluate("list => list.length")):
            control.select_option(index=option)
            settle(lab)
            yield f"{name}, option {option}"
    elif kind in ("submit", "button", "checkbox"):
        is_switch = kind == "checkbox" or "toggle" in control.get_attribute("class")
        for _ in range(2 if is_switch else 1):
            control.click()
            settle(lab)
            yield name
    else:
        for key in ("ArrowUp", "ArrowDown"):
            control.focus()
            lab.page.keyboard.press(key)
            lab.page.keyboard.press("Enter")
            settle(lab)
            yield f"{name}, {key}"


def settle(lab: LabOnPage) -> None:
    """Wait until the lab has answered; long work is stopped, once."""
    if lab.settles(LONG):
        return
    stop = lab.button("Stop")
    if stop.count() and stop.is_enabled():
        stop.dispatch_event("click")  # where the work has just ended, nothing happens
    lab.settle()
