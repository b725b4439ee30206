"""The columns of docs/types.md get the types and formats, and raise the doubts, that the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest

from trailbook.lenses.types.choose import choose
from trailbook.lenses.types.codes import CODES
from trailbook.lenses.types.counting import counted
from trailbook.lenses.types.decision import Decision, Guess

PAGE = (Path(__file__).parents[2] / "docs" / "types.md").read_text("utf-8")
GUESSES = {
    Guess.ORDER: "the other way round",
    Guess.CENTURY: "the century",
    Guess.MARK: "the mark",
    Guess.CURRENCY: "others are in",
    Guess.DIGITS: "a double",
}


def _examples(title: str) -> list[tuple[str, str]]:
    """The rows of the table whose second column has this title."""
    table = re.search(rf"^\| the column holds \| {title} \|\n\| --- \| --- \|\n((?:^\|.*\n)+)", PAGE, re.MULTILINE)
    assert table
    rows = (line.strip("|").split("|") for line in table[1].splitlines())
    return [(texts.strip(), wanted.strip().strip("`")) for texts, wanted in rows]


def _chosen(texts: str) -> Decision:
    return choose(counted(pa.array(re.findall("`(.*?)`", texts))))


@pytest.mark.parametrize(("texts", "type"), _examples("type"))
def test_the_type_is_the_one_shown(texts: str, type: str) -> None:
    assert _chosen(texts).type == type


@pytest.mark.parametrize(("texts", "format"), _examples("usual format"))
def test_the_usual_format_is_the_one_shown(texts: str, format: str) -> None:
    decision = _chosen(texts)
    assert decision.formats == (format,)


@pytest.mark.parametrize(("texts", "caveat"), _examples("caveat"))
def test_what_is_open_is_what_the_caveat_says(texts: str, caveat: str) -> None:
    (guess,) = _chosen(texts).guesses
    assert GUESSES[guess] in caveat


def test_the_page_names_every_code() -> None:
    line = re.search(r"^`\.`.* stand for", PAGE, re.MULTILINE)
    assert line
    assert set(re.findall("`(.*?)`", line[0])) == CODES
