"""What a code cell shows, without what differs from one process to the next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from trailbook.model.runs import CellError, DisplayMessage, Message, TextMessage

VARIES = "varies"
"""The tag of cells that show something else each time."""

LONG_HTML = 10_000
"""From here on only that there is HTML counts: it is the style sheets and scripts of a library."""

_MUST_DIFFER = (
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "0x0"),
    (re.compile(r"\bT_[0-9a-f]{5}(?=_|\b)"), "T_0"),
    (re.compile(r"\bsk-(container|estimator)-id-\d+"), r"sk-\1-id-0"),
    (re.compile(r"^\S+(?=:\d+: \w*Warning: )", re.MULTILINE), "<cell>"),
    # Jupyter forgets what a carriage return lets the next text overwrite.
    (re.compile(r".*\r(?=[^\n])"), ""),
)


@dataclass(frozen=True)
class Rendering:
    """One result or display: its text, its HTML, and the other media types it has."""

    plain: str | None
    html: str | None
    others: frozenset[str]


@dataclass(frozen=True)
class Shown:
    """All that one run of a cell shows; of an error its name and message."""

    stdout: str = ""
    stderr: str = ""
    renderings: tuple[Rendering, ...] = ()
    error: str | None = None


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """An .ipynb file of any version, as version 4."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    return notebook


def without_differences(text: str) -> str:
    """The text without addresses, ids drawn by lot, the place of a warning's code, and what was overwritten."""
    for pattern, replacement in _MUST_DIFFER:
        text = pattern.sub(replacement, text)
    return text


def stored(outputs: Sequence[Mapping[str, Any]]) -> Shown:
    """What the outputs of a cell in an .ipynb file (version 4) show."""
    kinds = ("execute_result", "display_data")
    errors = [f"{o['ename']}: {o['evalue']}" for o in outputs if o["output_type"] == "error"]
    return Shown(
        stdout=_stream(outputs, "stdout"),
        stderr=_stream(outputs, "stderr"),
        renderings=tuple(_rendering(o["data"]) for o in outputs if o["output_type"] in kinds),
        error=without_differences(errors[0].strip().removesuffix(":")) if errors else None,
    )


def told(messages: Sequence[Message], error: CellError | None) -> Shown:
    """What the messages of a run show."""
    texts = [m for m in messages if isinstance(m, TextMessage)]
    shown = [m for m in messages if isinstance(m, DisplayMessage)]
    return Shown(
        stdout=without_differences("".join(m.text for m in texts if m.stream == "stdout")),
        stderr=without_differences("".join(m.text for m in texts if m.stream == "stderr")),
        renderings=tuple(_rendering({**m.data, **dict.fromkeys(m.artifacts, "")}) for m in shown),
        error=without_differences(_without_module(error.message)) if error else None,
    )


def _stream(outputs: Sequence[Mapping[str, Any]], name: str) -> str:
    texts = [o["text"] for o in outputs if o["output_type"] == "stream" and o["name"] == name]
    return without_differences("".join(texts))


def _rendering(data: Mapping[str, Any]) -> Rendering:
    plain, html = data.get("text/plain"), data.get("text/html")
    return Rendering(
        plain=None if plain is None else without_differences(plain),
        html=None if html is None else _short(without_differences(html)),
        others=frozenset(data) - {"text/plain", "text/html"},
    )


def _short(html: str) -> str:
    return html if len(html) < LONG_HTML else ""


def _without_module(message: str) -> str:
    """The message as Jupyter has it: the class of the error by its own name alone."""
    return re.sub(r"^(?:\w+\.)+(?=\w+(?::|$))", "", message)
