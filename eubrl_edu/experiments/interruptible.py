"""Ctrl-C during compiled code, which itself does not listen."""

import math
import threading
import time
from collections.abc import Callable


def interruptible(function: Callable, *arguments, patience: float = math.inf, **options):
    """Call a function on another thread and wait for it here, where Ctrl-C is heard at once.

    After Ctrl-C, or when patience is at its end, the other thread goes on unheard; it does not
    keep Python from exiting.

    Parameters
    ----------
    function : callable
        What to call, with the other arguments and options.
    patience : float
        Seconds to wait at most.

    Returns
    -------
    object
        What the function returns.

    Raises
    ------
    TimeoutError
        If the function has not returned in time.
    """
    outcome = {}

    def call():
        try:
            outcome["value"] = function(*arguments, **options)
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    deadline = time.monotonic() + patience
    while thread.is_alive():
        # Windows hears Ctrl-C only between waits.
        thread.join(timeout=0.2)
        if time.monotonic() > deadline:
            raise TimeoutError(f"no answer within {patience:g} s")
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]
