"""Pictures that a Markdown cell carries along: put into its text."""

from __future__ import annotations

import re
from urllib.parse import unquote

from trailbook.formats.ipynb.texts import Raw, joined, member

_REFERENCE = re.compile(r"attachment:([^)\s\"'>]+)")


def with_attachments(text: str, attachments: Raw) -> str:
    """The text with each reference to an attachment replaced by its data; others stay as they are."""

    def data_url(reference: re.Match[str]) -> str:
        name = reference[1] if reference[1] in attachments else unquote(reference[1])
        for media_type, content in member(attachments, name, dict).items():
            return f"data:{media_type};base64,{''.join(joined(content).split())}"
        return reference[0]

    return _REFERENCE.sub(data_url, text) if attachments else text
