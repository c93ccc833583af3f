"""What each public function answers to bad input, and what comes of faults: one table.

A family is a module whose function `rows` yields rows. `tests/test_bad_inputs.py` collects them,
and tries what ``drawn`` draws in the same places. Faults that are survived without an error are
tests beside what survives them: a worker that dies once (``test_local``, ``test_cluster``), and
runs that fail where the others are to go on (``test_failures``).
"""
