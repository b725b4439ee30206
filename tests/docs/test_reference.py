"""The tables of options in docs/ are those of the code."""

from __future__ import annotations

import pytest
from reference import DOCS, PAGES, options, written


@pytest.mark.parametrize("name", PAGES)
def test_the_tables_are_up_to_date(name: str) -> None:
    page = (DOCS / name).read_text("utf-8")
    assert written(page) == page, "Run `make reference`."


def test_everything_that_has_options_has_a_table() -> None:
    pages = "".join((DOCS / name).read_text("utf-8") for name in PAGES)
    assert [name for name in options() if f"<!-- options: {name} -->" not in pages] == []
