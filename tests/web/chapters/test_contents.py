"""The table of contents decides which chapters there are; the start page lists them all."""

import re
from pathlib import Path

from web.chapters import contents

TOP = Path(__file__).resolve().parents[3]
CARD = re.compile(
    r"^- \*\*\[(?P<number>\d+) · (?P<title>[^\]]+)\]\((?P<file>[^)]+)\)\*\*"
    r" \*(?P<minutes>\d+) minutes\*\n  [A-Z].+\.$",
    re.M,
)
START = (TOP / "book/index.md").read_text(encoding="utf-8")
CARDS = list(CARD.finditer(START))
REFERRED = re.compile(r"\b[Cc]hapters? (\d+)(?:(?: and |, | to |–)(\d+))?")


def test_pages_are_read_at_any_depth_and_in_order(tmp_path):
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: book/index\nparts:\n"
        "  - caption: One\n    chapters:\n      - file: book/02-b\n"
        "        sections: [{file: book/03-c}]\n"
        "  - caption: Two\n    chapters: [{file: book/notes}]\n"
    )
    found = [path.relative_to(tmp_path).as_posix() for path in contents.pages(tmp_path)]
    assert found == ["book/index.md", "book/02-b.md", "book/03-c.md", "book/notes.md"]
    assert [path.stem for path in contents.chapters(tmp_path)] == ["02-b", "03-c"]


def test_every_page_of_the_book_is_in_the_table_of_contents():
    assert set(contents.pages()) == set((TOP / "book").glob("*.md"))


def test_the_start_page_leads_to_each_chapter_by_its_number_its_title_and_its_minutes():
    led_to = {card["file"]: card.group("number", "title", "minutes") for card in CARDS}
    wanted = {}
    for path in contents.chapters():
        text = path.read_text(encoding="utf-8")
        heading = re.search(r"^# (.+)$", text, re.M)[1]
        minutes = re.search(r"^\*(\d+) minutes", text, re.M)[1]
        wanted[path.name] = (str(int(contents.number(path.stem))), heading, minutes)
    assert led_to == wanted
    minutes = [int(row[2]) for row in wanted.values() if row[0] != "0"]
    assert f"A chapter takes {min(minutes)} to {max(minutes)} minutes" in START


def test_the_start_page_gives_the_minutes_of_the_tour():
    tour = (TOP / "book/tour.md").read_text(encoding="utf-8")
    minutes = re.search(r"^\*(\d+) minutes", tour, re.M)[1]
    assert f"- [Take the tour, {minutes} minutes](tour.md)" in START


def test_a_chapter_that_is_referred_to_is_there():
    listed = {int(card["number"]) for card in CARDS}
    for path in contents.pages():
        for found in REFERRED.finditer(path.read_text(encoding="utf-8")):
            for number in filter(None, found.groups()):
                assert int(number) in listed, f"{path.name}: {found[0]}"


def test_each_chapter_carries_its_number_in_its_title_and_in_the_sidebar():
    for path in contents.chapters():
        page = (TOP / f"_build/html/book/{path.stem}.html").read_text(encoding="utf-8")
        number = f"{int(contents.number(path.stem))} · "
        assert re.search(rf"<h1>{number}", page), path.name
        assert re.search(rf'<a class="current reference internal" href="#">\s*{number}', page)
