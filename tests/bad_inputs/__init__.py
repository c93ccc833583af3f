"""What each public function answers to bad input, and what comes of faults: one table.

A family is a module whose function `rows` yields rows. `tests/test_bad_inputs.py` collects them,
and tries what ``drawn`` draws in the same places. What is taken or survived without an error has
rows too: they are in ``survived``.
"""
