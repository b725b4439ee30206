"""Markdown as HTML. HTML inside of it is shown as text, so that it can do nothing."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def markdown_html(text: str) -> str:
    html: str = _renderer().render(text)
    return html


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
