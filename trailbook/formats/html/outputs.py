"""What a cell said, as HTML."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any
from urllib.parse import quote

from trailbook.formats.html.markdown import markdown_html
from trailbook.formats.ipynb.outputs import is_json
from trailbook.model.runs import CellError, DisplayMessage, Message, TextMessage

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
ROW_HEIGHT, LOWEST, TALLEST = 26, 60, 480
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_CHART = re.compile(r"application/vnd\.(vega|vegalite|plotly)\.v\d")
_LINE = re.compile(r"<(?:tr|p|li|h\d|br)\b", re.IGNORECASE)
FRAME = """<!doctype html><style>
:root { color-scheme: light dark }
body { margin: 0; font: 13px/1.5 system-ui, sans-serif }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: 3px 10px; border: 1px solid #8884; text-align: right }
</style>"""


def message_html(message: Message) -> str:
    match message:
        case TextMessage():
            return f'<pre class="{message.stream}">{escape(_plain(message.text))}</pre>'
        case DisplayMessage():
            return _display(message.data)
    return f'<p class="note">{escape(message.text)}</p>'


def error_html(error: CellError) -> str:
    where = f" (line {error.line})" if error.line else ""
    traceback = f"<pre>{escape(_plain(error.traceback))}</pre>" if error.traceback else ""
    return f'<div class="error" role="alert"><p>✗ {escape(error.message)}{where}</p>{traceback}</div>'


def _display(data: dict[str, Any]) -> str:
    """In the richest form that a page without scripts can show."""
    label = escape(str(data.get("text/plain", "What the cell showed")), quote=True)
    for media_type in PICTURES:
        if media_type in data:
            return f'<img alt="{label}" src="data:{media_type};base64,{escape(str(data[media_type]), quote=True)}">'
    if svg := data.get("image/svg+xml"):
        return f'<img alt="{label}" src="data:image/svg+xml,{quote(str(svg))}">'
    if any(map(_CHART.match, data)):
        return f'<p class="note">{label}: a chart that needs scripts, which only run in Trailbook itself.</p>'
    if html := data.get("text/html"):
        return _frame(str(html))
    if markdown := data.get("text/markdown"):
        return markdown_html(str(markdown))
    for media_type, value in data.items():
        if is_json(media_type) and "text/plain" not in data:
            return f"<pre>{escape(json.dumps(value, indent=2, ensure_ascii=False))}</pre>"
    return f"<pre>{escape(_plain(str(data.get('text/plain', ', '.join(data)))))}</pre>"


def _frame(html: str) -> str:
    """HTML that a cell made: in a frame without rights, as high as its lines let expect."""
    if "<script" in html.lower():
        hint = '<p class="note">Parts of this may need scripts, which only run in Trailbook itself.</p>'
    else:
        hint = ""
    height = min(max(LOWEST, ROW_HEIGHT * (len(_LINE.findall(html)) + 1)), TALLEST)
    content = escape(FRAME + html, quote=True)
    return f'<iframe sandbox title="HTML output" style="height: {height}px" srcdoc="{content}"></iframe>{hint}'


def _plain(text: str) -> str:
    """Without colours, and with lines that were overwritten, as by a progress bar, as they were last."""
    text = _COLOURS.sub("", text).replace("\r\n", "\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
