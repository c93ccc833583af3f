"""A lab that is moved and moved back, whose artists serve for all that it shows on the way."""


def require_nothing_left_behind(lab, change: dict, start: dict) -> None:
    """Move controls and back: the same artists draw what new ones would, and then what was before.

    ``start`` holds where the controls stood, of those moved and of any that moved along.
    """
    picture, words, built = lab.picture.value, repr(lab), lab.panels
    for name, value in change.items():
        lab.controls[name].value = value
    there = lab.picture.value
    assert there != picture
    # The same artists serve, and show what those would that were made for this state alone.
    assert lab.panels is built
    lab.canvas.forget()
    lab.refresh()
    assert lab.picture.value == there and lab.panels is not built
    for name, value in start.items():
        lab.controls[name].value = value
    assert (lab.picture.value, repr(lab)) == (picture, words)
