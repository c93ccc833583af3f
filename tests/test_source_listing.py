"""What a notebook prints of a function is its code as it stands, without its docstring."""

import inspect
import textwrap

import eubrl_edu as eu
from eubrl_edu.planning import q_values
from eubrl_edu.source_listing import SourceListing


def documented(value):
    """Say what it is.

    At length.
    """
    # A comment stays.
    return value


def plain(value):
    return value


def test_the_code_runs_as_the_function_does_and_has_no_docstring():
    names = {}
    exec(repr(SourceListing(documented)), names)
    assert names["documented"](3) == 3
    assert names["documented"].__doc__ is None
    assert "# A comment stays." in repr(SourceListing(documented))


def test_without_a_docstring_nothing_is_left_out():
    assert repr(SourceListing(plain)) == inspect.getsource(plain).rstrip()
    assert "<details>" not in SourceListing(plain)._repr_markdown_()


def test_the_documentation_is_folded_under_the_code():
    markdown = SourceListing(documented)._repr_markdown_()
    code, folded = markdown.split("<details>")
    assert code.startswith("```python\ndef documented")
    assert "At length." in folded and "At length." not in code


def test_methods_stand_at_the_margin_one_after_the_other():
    words = repr(SourceListing(eu.EUBRL.plan, q_values))
    assert words.startswith("def plan(self")
    assert "\n\ndef q_values(" in words
    whole = textwrap.dedent(inspect.getsource(eu.EUBRL.plan))
    assert words.splitlines()[-1] in inspect.getsource(q_values)
    assert all(
        line in whole.splitlines() for line in repr(SourceListing(eu.EUBRL.plan)).split("\n")
    )
