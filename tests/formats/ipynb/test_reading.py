"""Jupyter notebooks of all formats in use become documents, or are refused with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trailbook.errors import Invalid
from trailbook.formats.document import DocumentCell, checked_parameters
from trailbook.formats.ipynb import read
from trailbook.model.runs import CellError, DisplayMessage, TextMessage

PNG = "iVBORw0KGgo="


def notebook(*cells: dict[str, Any], minor: int = 5, **metadata: Any) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": minor, "metadata": metadata, "cells": cells})


def code(source: Any, *outputs: dict[str, Any], **more: Any) -> dict[str, Any]:
    cell = {"cell_type": "code", "source": source, "outputs": list(outputs), "metadata": {}, "execution_count": 1}
    return {**cell, **more}


def only(text: str) -> DocumentCell:
    (cell,) = read(text).cells
    return cell


def test_text_and_code_are_read() -> None:
    cells = [
        {"cell_type": "markdown", "source": "# Title", "metadata": {}, "id": "a"},
        code("x = 1\nx", metadata={"tags": ["parameters"]}, id="b"),
        {"cell_type": "raw", "source": ["raw ``` ", "text"], "metadata": {}, "id": "c"},
    ]
    document = read(notebook(*cells, title="Mine"))
    assert document.title == "Mine"
    assert [cell.text for cell in document.cells] == ["# Title", "x = 1\nx", "````\nraw ``` text\n````"]
    assert [cell.handle for cell in document.cells] == ["a", "b", "c"]
    assert [cell.is_parameters for cell in document.cells] == [False, True, False]


def test_outputs_come_along() -> None:
    cell = only(
        notebook(
            code(
                ["print(1)\n", "x"],
                {"output_type": "stream", "name": "stdout", "text": ["1\n", "2\n"]},
                {"output_type": "stream", "name": "stderr", "text": "careful"},
                {"output_type": "display_data", "data": {"image/png": "iVBO\nRw0KGgo=\n"}, "metadata": {}},
                {
                    "output_type": "execute_result",
                    "data": {"text/plain": ["a", "b"], "application/json": {"a": [1]}},
                    "metadata": {},
                    "execution_count": 1,
                },
                {
                    "output_type": "error",
                    "ename": "KeyError",
                    "evalue": "'a'",
                    "traceback": ["\x1b[31mred\x1b[0m", "x"],
                },
            )
        )
    )
    assert cell.messages == (
        TextMessage(stream="stdout", text="1\n2\n"),
        TextMessage(stream="stderr", text="careful"),
        DisplayMessage(data={"image/png": PNG}),
        DisplayMessage(data={"text/plain": "ab", "application/json": {"a": [1]}}),
    )
    assert cell.error == CellError(code="python_exception", message="KeyError: 'a'", traceback="red\nx")
    assert cell.text == "print(1)\nx"


def test_format_3_is_read() -> None:
    outputs = [
        {"output_type": "stream", "stream": "stdout", "text": "hi\n"},
        {"output_type": "pyout", "prompt_number": 1, "text": ["3"], "html": "<b>3</b>", "metadata": {}},
        {"output_type": "display_data", "png": PNG, "metadata": {}},
        {"output_type": "pyerr", "ename": "E", "evalue": "", "traceback": []},
    ]
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Title"], "metadata": {}},
        {"cell_type": "code", "input": ["%time x = 1"], "language": "python", "outputs": outputs, "prompt_number": 1},
        {"cell_type": "markdown", "source": "text"},
    ]
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    title, first, text = read(json.dumps(old)).cells
    assert (title.text, text.text) == ("## Title", "text")
    assert "x = 1" in first.text
    assert first.messages == (
        TextMessage(stream="stdout", text="hi\n"),
        DisplayMessage(data={"text/html": "<b>3</b>", "text/plain": "3"}),
        DisplayMessage(data={"image/png": PNG}),
    )
    assert first.error
    assert first.error.message == "E"


def test_pictures_in_markdown_come_along() -> None:
    attachments = {"my plot.png": {"image/png": PNG}}
    text = "![a](attachment:my%20plot.png) ![b](attachment:gone.png)"
    cell = only(notebook({"cell_type": "markdown", "source": text, "attachments": attachments, "metadata": {}}))
    assert cell.text == f"![a](data:image/png;base64,{PNG}) ![b](attachment:gone.png)"


def test_what_is_not_quite_json_is_mended() -> None:
    output = {"output_type": "display_data", "data": {"application/json": [float("nan"), 1]}, "metadata": {}}
    cell = only(notebook(code("'\ud83d \U0001f600'", output)))
    assert cell.text == "'\ufffd \U0001f600'"
    assert cell.messages == (DisplayMessage(data={"application/json": [None, 1]}),)


def test_cells_of_other_kinds_are_recognised() -> None:
    text = notebook(code("%%sql totals <<\nSELECT 1"), code("%%trailbook load\nname: sales\npath: a.csv"))
    sql, load = read(text).cells
    assert (sql.kind, sql.parameters) == ("sql", {"name": "totals", "query": "SELECT 1"})
    assert (load.kind, load.parameters) == ("load", checked_parameters("load", {"name": "sales", "path": "a.csv"}))


@pytest.mark.parametrize("ids", [["a", "a"], ["not an id", None], [3, ""]])
def test_ids_that_can_not_be_handles_are_left_out(ids: list[Any]) -> None:
    cells = read(notebook(*(code("x", id=id) for id in ids), minor=4)).cells
    handles = [cell.handle for cell in cells if cell.handle]
    assert len(handles) == len(set(handles)) <= 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is not JSON"),
        ("{", "it is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "it has no `nbformat`"),
        ('{"nbformat": "4"}', "it has no `nbformat`"),
        ('{"nbformat": 5}', "format 5; formats 3 and 4 can be read"),
        ('{"nbformat": 2}', "old format 2"),
        (notebook(kernelspec={"language": "R"}), "written in R"),
        (notebook(language_info={"name": "julia"}), "written in julia"),
        (notebook(code("x", language="perl")), "Cell 1: The cell is written in perl"),
        (notebook({"cell_type": "chart"}), "Cell 1: There is no kind of cell 'chart'"),
        (notebook(code({"a": 1})), "Cell 1: Text is expected where there is"),
        (notebook(code("x", outputs=3)), "Cell 1: `outputs` of a notebook is a list"),
        (notebook(code("x", {"output_type": "song"})), "Cell 1: There is no kind of output 'song'"),
        ('{"nbformat": 4, "cells": [1]}', "`cells` of a notebook holds objects, not '1'"),
        ('{"nbformat": 4, "cells": {}}', "`cells` of a notebook is a list"),
        (notebook(code("%%trailbook song\n")), "Cell 1: There is no cell kind 'song'"),
        (notebook(code("%%sql 1x <<\nSELECT", metadata={"trailbook": {"acknowledged": [1]}})), "Cell 1: What metadata"),
    ],
)
def test_what_can_not_be_read_is_told(text: str, message: str) -> None:
    with pytest.raises(Invalid) as error:
        read(text)
    assert message in error.value.message


def test_packages_are_names_and_nothing_else() -> None:
    assert read(notebook(trailbook={"packages": ["polars"]})).packages == ("polars",)
    for wrong in ("polars", [1]):
        with pytest.raises(Invalid, match="packages"):
            read(notebook(trailbook={"packages": wrong}))
