"""Where the command line prints: a stream that is open, and can write whatever comes."""

import codecs
import io
import os
import sys

# What stands for a letter that the encoding of a stream lacks; for any other, a question mark.
PLAIN = {"✓": "+", "✗": "x", "○": "o", "–": "-", "−": "-", "·": "*", "±": "+-"}


def prepare_streams() -> None:
    """Open what a shell has closed, and let no letter be one that cannot be printed."""
    codecs.register_error("plainly", _plainly)
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:  # here and in workers, nowhere is where it goes
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
            os.set_inheritable(number, True)
            setattr(sys, name, open(number, "w"))
        if isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            stream.reconfigure(errors="plainly")


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter, "?") for letter in missing), error.end
