"""What is written is a valid notebook of format 4.5, and comes back as the same cells."""

from __future__ import annotations

import json

import nbformat
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.test_trail_md import CELLS
from trailbook.formats.document import Document, DocumentCell, checked_parameters, text_cell
from trailbook.formats.ipynb import read, write
from trailbook.model.base import CellHandle
from trailbook.model.runs import CellError, DisplayMessage, NoteMessage, TextMessage

MESSAGES = (
    TextMessage(stream="stdout", text="1\n2"),
    TextMessage(stream="stderr", text="careful\n"),
    DisplayMessage(data={"text/plain": "x\ny", "image/png": "iVBORw0KGgo=", "application/json": {"a": [1, None]}}),
    NoteMessage(text="cut"),
)
ERROR = CellError(code="python_exception", message="KeyError: 'a'", traceback="Traceback\n  line")


def check(text: str) -> None:
    nbformat.validate(json.loads(text))


def test_a_notebook_with_outputs_is_valid_and_comes_back() -> None:
    code = text_cell("python", "print(1)\nx")
    ran = code.model_copy(update={"messages": MESSAGES, "error": ERROR, "handle": CellHandle("abc")})
    sql = DocumentCell(kind="sql", parameters={"name": "größe", "query": "SELECT 1;\n"}, handle=CellHandle("b"))
    load = checked_parameters("load", {"name": "x", "path": "a b.csv", "options": {"delimiter": "\t"}})
    cells = (ran, sql, DocumentCell(kind="load", parameters=load, handle=CellHandle("c")))
    document = Document(title="Mine", packages=("polars>=2",), cells=cells)
    text = write(document)
    check(text)
    assert read(text) == document
    assert write(read(text)) == text


def test_charts_are_called_as_the_format_demands() -> None:
    shown = DisplayMessage(data={"application/vnd.vegalite.v6.json": {"mark": "bar"}})
    text = write(Document(cells=(text_cell("python", "chart").model_copy(update={"messages": (shown,)}),)))
    check(text)
    assert read(text).cells[0].messages == (DisplayMessage(data={"application/vnd.vegalite.v6+json": {"mark": "bar"}}),)


@given(st.lists(CELLS, max_size=4).map(tuple))
def test_every_document_is_valid_and_other_kinds_come_back(cells: tuple[DocumentCell, ...]) -> None:
    text = write(Document(cells=cells))
    check(text)
    # Text that Jupyter would take for magics is what it means there.
    kept = [cell for cell in cells if cell.kind != "python"]
    again = read(text).cells
    assert [cell.model_copy(update={"handle": None}) for cell in again if cell.kind != "python"] == kept
