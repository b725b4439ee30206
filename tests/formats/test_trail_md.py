"""Trailbook's text format: every notebook survives it, and people can read and edit it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailbook.errors import Invalid
from trailbook.formats.document import Accepted, Document, DocumentCell, checked_parameters, text_cell
from trailbook.formats.trail_md import read, write

MARKS = ["```", "````", "~~~", "```python {cell}", "<!-- cell -->", "---", "title: x", "packages: []"]
PIECES = st.sampled_from([*MARKS, "\n", "\r\n", "\r", " ", "\t", "#", "a"])
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join), st.lists(PIECES, max_size=12).map("\n".join))
NAMES = st.sampled_from(["sales", "totals", "größe"])


def cell(kind: str, *, is_parameters: bool = False, acknowledged: Any = (), **parameters: Any) -> DocumentCell:
    return DocumentCell(
        kind=kind,
        parameters=checked_parameters(kind, parameters),
        is_parameters=is_parameters,
        acknowledged=acknowledged,
    )


ACCEPTED = st.lists(st.builds(Accepted, place=TEXTS, message=st.none() | TEXTS, note=TEXTS), max_size=2).map(tuple)
CELLS = st.one_of(
    st.builds(lambda text: cell("markdown", text=text), TEXTS),
    st.builds(lambda text, flag: cell("python", code=text, is_parameters=flag), TEXTS, st.booleans()),
    st.builds(lambda text, name, said: cell("sql", query=text, name=name, acknowledged=said), TEXTS, NAMES, ACCEPTED),
    st.builds(
        lambda name, path, header, mark: cell("load", name=name, path=path, options={"header": header, "quote": mark}),
        NAMES,
        TEXTS,
        st.booleans(),
        st.sampled_from(",;\t `"),
    ),
)
DOCUMENTS = st.builds(
    lambda cells, title, packages: Document(cells=tuple(cells), title=title, packages=tuple(packages)),
    st.lists(CELLS, max_size=5),
    TEXTS,
    st.lists(TEXTS, max_size=2),
)


@given(DOCUMENTS)
def test_every_document_comes_back_as_it_was(document: Document) -> None:
    text = write(document)
    assert read(text) == document
    assert write(read(text)) == text


@given(DOCUMENTS)
def test_files_with_other_line_ends_are_the_same_document(document: Document) -> None:
    text = write(document)
    assert read(text.replace("\n", "\r\n")) == document
    text.encode("utf-8")


@given(TEXTS)
def test_any_text_is_a_document_or_refused(text: str) -> None:
    with suppress(Invalid):
        document = read(text)
        assert read(write(document)) == document


def test_a_notebook_reads_like_a_document() -> None:
    document = Document(
        title="Sales of May",
        packages=("scikit-learn>=1.5", "polars"),
        cells=(
            text_cell("markdown", "# Sales\n\nWhat the shops sold."),
            cell("load", name="sales", path="sales.csv", options={"delimiter": ";"}),
            text_cell("markdown", "First paragraph."),
            text_cell("markdown", "Second cell."),
            cell("python", code="limit = 10", is_parameters=True),
            cell("sql", name="totals", query="SELECT shop, sum(price)\nFROM sales GROUP BY shop"),
            text_cell("python", 'print("```")'),
        ),
    )
    assert (
        write(document)
        == """\
---
title: Sales of May
packages: ["scikit-learn>=1.5", "polars"]
---

# Sales

What the shops sold.

```load {cell}
name: sales
path: sales.csv
options: {"delimiter": ";"}
```

First paragraph.

<!-- cell -->

Second cell.

```python {cell parameters}
limit = 10
```

```sql {cell name="totals"}
SELECT shop, sum(price)
FROM sales GROUP BY shop
```

````python {cell}
print("```")
````
"""
    )


def test_code_in_prose_stays_prose() -> None:
    text = "Try this:\n\n```python\nprint(1)\n```\n\n~~~\n```python {cell}\n~~~"
    assert read(text).cells == (text_cell("markdown", text),)


def test_what_people_write_by_hand_is_read() -> None:
    text = '\n```load {cell}\n\nname : sales\n  path:   a b.csv \noptions: {"header": false}\n```  \n'
    text += '```sql {cell   name="x"}\nSELECT 1\n````\n'
    assert read(text).cells == (
        cell("load", name="sales", path="a b.csv", options={"header": False}),
        cell("sql", name="x", query="SELECT 1"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x\n```python {cell}\nprint(1)", "Line 2: the cell that starts here has no end: a line ```"),
        ("```pyhton {cell}\n```", "Line 1: There is no cell kind 'pyhton'. Known: export"),
        ("```sql {cell name=totals}\n```", "Line 1: The value of name is not JSON; text needs double quotes."),
        ('```sql {cell name="a b"}\n```', "Line 1: SQL cell: name: 'a b' can't name a dataset"),
        ("```load {cell}\nsales.csv\n```", "Line 1: 'sales.csv' is not a parameter: write `name: value`"),
        ("---\ntitle: x\n---\n```load {cell}\n```", "Line 4: Load cell: name: it is missing."),
        ("---\npackages: polars\n---\n", """packages is a list of names, such as ["scikit-learn"], not 'polars'."""),
        ("```sql {cell ?}\n```", "Line 1: '?' is not understood"),
        ("```sql {cell acknowledged=[1]}\n```", "Line 1: acknowledged is a list of"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(Invalid) as error:
        read(text)
    assert message in error.value.message
