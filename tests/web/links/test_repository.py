"""The project's address: what is given, or the remote; no test leaves one behind."""

import doctest
import os

import pytest

from web.links import repository


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://github.com/someone/attention", "https://github.com/someone/attention"),
        ("git@github.com:someone/attention.git", "https://github.com/someone/attention"),
        ("/srv/git/attention", None),
    ],
)
def test_the_variable_wins_over_the_remote(monkeypatch, given, address):
    monkeypatch.setenv("ATTN_REPOSITORY", given)
    assert repository.address() == address


def test_the_examples_of_its_docstrings_leave_the_environment_as_it_was():
    before = dict(os.environ)
    assert doctest.testmod(repository).attempted
    assert dict(os.environ) == before
