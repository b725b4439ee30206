"""The page shows everything, and nothing that a cell made can do anything in it."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from trailbook.formats.document import DatasetPreview, Document, DocumentCell, text_cell
from trailbook.formats.html import write
from trailbook.model.artifacts import Column, Doubt
from trailbook.model.runs import CellError, DisplayMessage, Message, NoteMessage, TextMessage


class Elements(HTMLParser):
    """Every element with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def page(*messages: Message, **more: Any) -> str:
    cell = text_cell("python", "x < 1 and y").model_copy(update={"messages": messages, **more})
    return write(Document(title="A <title>", cells=(cell,)))


def test_text_is_text() -> None:
    text = page(
        TextMessage(stream="stdout", text="<b>\x1b[31mred\x1b[0m\n50%\r100%\n"),
        NoteMessage(text="<i>"),
        error=CellError(code="e", message="<u>", line=3, traceback="<s>"),
    )
    for shown in (
        "A &lt;title&gt;",
        "x &lt; 1 and y",
        "&lt;b&gt;",
        "100%\n",
        "&lt;i&gt;",
        "&lt;u&gt; (line 3)",
        "&lt;s&gt;",
    ):
        assert shown in text
    assert "50%" not in text
    assert "\x1b" not in text


@pytest.mark.parametrize("html", ["<script>alert(1)</script>", '"><script>alert(1)</script>', "<img onerror=x src=y>"])
def test_html_of_cells_is_shut_in_frames_without_rights(html: str) -> None:
    elements = Elements(page(DisplayMessage(data={"text/html": html})))
    (frame,) = elements.named("iframe")
    assert frame["sandbox"] is None
    assert html in (frame["srcdoc"] or "")
    assert not elements.named("script")
    assert not elements.named("img")


def test_markdown_is_rendered_without_its_html() -> None:
    text = "# Title\n\n<script>alert(1)</script> [x](javascript:alert(1)) ~~old~~\n\n| a |\n|---|\n| 1 |"
    elements = Elements(write(Document(cells=(text_cell("markdown", text),))))
    assert elements.named("table")
    assert elements.named("s")
    assert not elements.named("script")
    assert not elements.named("a")


def test_pictures_are_in_the_page() -> None:
    elements = Elements(
        page(
            DisplayMessage(data={"image/png": "iVBO", "text/plain": 'a "b"'}),
            DisplayMessage(data={"image/svg+xml": "<svg/>"}),
        )
    )
    png, svg = elements.named("img")
    assert png == {"alt": 'a "b"', "src": "data:image/png;base64,iVBO"}
    assert svg["src"] == "data:image/svg+xml,%3Csvg/%3E"


def test_charts_that_need_scripts_say_so() -> None:
    data = {"application/vnd.vegalite.v6.json": {"mark": "bar"}, "text/html": "<div id=chart>", "text/plain": "<Chart>"}
    text = page(DisplayMessage(data=data))
    assert "&lt;Chart&gt;: a chart that needs scripts" in text
    assert not Elements(text).named("iframe")


def test_nothing_is_fetched() -> None:
    text = page(DisplayMessage(data={"text/html": "<img src=https://example.org/x.png>"}))
    (policy,) = [meta["content"] for meta in Elements(text).named("meta") if meta.get("http-equiv")]
    assert policy == "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:"


def test_doubt_has_a_colour_a_sign_and_a_count() -> None:
    preview = DatasetPreview(
        name="totals",
        columns=(Column(name="shop", type="string"), Column(name="price", type="int")),
        total=30,
        rows=(("Bern", "1"), ("<Zug>", None)),
        marks=((), (0, 2)),
        doubt=Doubt(values={"price": 1}, rows=1, phantoms=2, open=True),
    )
    text = page(datasets=(preview,))
    assert "<tr><th>0</th><td>Bern</td><td>1</td></tr>" in text
    assert text.count('class="doubt"') == 3
    assert text.count('title="in doubt">?<') == 3
    assert "&lt;Zug&gt;" in text
    assert "30 rows, the first 2" in text
    assert "1 value in doubt, 1 row in doubt, 2 rows left out in doubt, other rows may be missing" in text


def test_every_kind_of_cell_is_shown() -> None:
    cells = (
        DocumentCell(kind="sql", parameters={"name": "totals", "query": "SELECT 1"}, seconds=1.234),
        DocumentCell(kind="load", parameters={"name": "sales", "path": "a.csv"}),
    )
    text = write(Document(cells=cells))
    assert "[1] SQL · totals · 1.23 s" in text
    assert "name: sales\npath: a.csv" in text
