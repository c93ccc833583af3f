"""What each public function answers to bad input: one table, in a module for each family.

A family is a function that yields rows. `tests/test_bad_inputs.py` collects them all.
"""
