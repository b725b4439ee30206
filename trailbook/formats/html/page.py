"""The page: its cells one below the other, each with what it showed and made."""

from __future__ import annotations

from html import escape
from pathlib import Path

from trailbook.cells.kind import KINDS
from trailbook.formats.document import TEXT, Document, DocumentCell
from trailbook.formats.html.markdown import markdown_html
from trailbook.formats.html.outputs import error_html, message_html
from trailbook.formats.html.tables import dataset_html
from trailbook.formats.parameter_text import body_text

STYLE = Path(__file__).with_name("style.css")
# Whatever cells made: nothing is fetched, and no script runs.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:"


def write(document: Document) -> str:
    title = escape(document.title or "Notebook")
    cells = "\n".join(_cell(cell, number) for number, cell in enumerate(document.cells, 1))
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{title}</title>
<style>
{STYLE.read_text("utf-8")}</style>
</head>
<body>
<main>
<h1 class="title">{title}</h1>
{cells}
</main>
</body>
</html>
"""


def _cell(cell: DocumentCell, number: int) -> str:
    if cell.kind == "markdown":
        return f'<section class="text" id="cell-{number}">\n{markdown_html(cell.text)}</section>'
    shown = [message_html(message) for message in cell.messages]
    shown += [dataset_html(preview) for preview in cell.datasets]
    shown += [error_html(cell.error)] if cell.error else []
    return f"""\
<section class="cell" id="cell-{number}">
<header>{_heading(cell, number)}</header>
<pre class="code">{escape(_source(cell))}</pre>
{"".join(f'<div class="output">{part}</div>' for part in shown)}
</section>"""


def _heading(cell: DocumentCell, number: int) -> str:
    parts = [f"[{number}] {KINDS.get(cell.kind).title}"]
    if cell.kind in TEXT and "name" in cell.parameters:
        parts.append(cell.parameters["name"])
    if cell.seconds is not None:
        parts.append(f"{cell.seconds:.2f} s")
    return escape(" · ".join(parts))


def _source(cell: DocumentCell) -> str:
    return cell.text if cell.kind in TEXT else body_text(cell.parameters)
