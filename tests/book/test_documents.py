"""What the documents at the top lead to is there."""

import re
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:attn|web|book|tests|benchmarks)/[\w./-]*)`")
OF_A_PART = re.compile(r"NN|name")  # what is to be replaced in a list of files


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_a_link_or_a_path_leads_to_a_file_or_a_folder(document):
    text = (TOP / document).read_text(encoding="utf-8")
    places = {*LINK.findall(text), *PATH.findall(text)}
    assert len(places) > 3
    assert sorted(p for p in places if not OF_A_PART.search(p) and not (TOP / p).exists()) == []
