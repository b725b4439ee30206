"""Trailbook's own text format: Markdown, in which fenced blocks marked `{cell}` are cells.

    # Sales

    ```load {cell}
    name: sales
    path: sales.csv
    ```

    ```sql {cell name="totals"}
    SELECT region, sum(price) FROM sales GROUP BY region
    ```

Everything else is Markdown cells. Whatever can't stand as it is, such as a carriage return, is written as a parameter
in JSON behind `{cell`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from trailbook.cells.kind import KINDS
from trailbook.errors import Invalid
from trailbook.formats import parameter_text as parameters_as
from trailbook.formats.document import TEXT, Document, DocumentCell, checked_packages, text_cell
from trailbook.formats.format import Format, ReadOptions, register
from trailbook.formats.trail_md_reader import MARKER, cells_in, split_front_matter
from trailbook.model.base import Json

_BACKTICKS = re.compile(r"`{3,}")
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


def read(text: str, options: ReadOptions | None = None) -> Document:
    """The document; an error names the line it is about."""
    about, lines, first = split_front_matter(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    packages = checked_packages(about.get("packages", []))
    return Document(title=str(about.get("title", "")), packages=packages, cells=tuple(cells_in(lines, first)))


def write(document: Document) -> str:
    """The text, such that `read` gives the same cells again."""
    about = {"title": document.title, "packages": list(document.packages)}
    lines = parameters_as.body_text({name: value for name, value in about.items() if value})
    text = "\n\n".join([*([f"---\n{lines}\n---"] if lines else []), *_blocks(document)])
    return f"{text}\n" if text else ""


def _blocks(document: Document) -> Iterator[str]:
    after_prose = False
    for cell in document.cells:
        is_prose = cell.kind == "markdown" and not cell.acknowledged and _can_stand(cell.text)
        if is_prose and after_prose:
            yield MARKER
        yield cell.text if is_prose else _fenced(cell)
        after_prose = is_prose


def _can_stand(text: str) -> bool:
    """Whether the text comes back as one Markdown cell, and lets what follows be read as what it is."""
    if not _is_kept(text) or text.startswith("---"):
        return False
    alone = [text_cell("markdown", text), text_cell("markdown", "x")]
    try:
        return list(cells_in([*text.split("\n"), MARKER, "x"])) == alone
    except Invalid:
        return False


def _is_kept(text: str) -> bool:
    """Whether reading gives these very characters again: line ends are made alike, and UTF-8 has no surrogates."""
    return "\r" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _fenced(cell: DocumentCell) -> str:
    parameters = _without_defaults(cell)
    name = TEXT.get(cell.kind)
    if name is None:
        inside, body = {}, parameters_as.body_text(parameters)
    else:
        text = cell.text if _is_kept(cell.text) else ""
        inside = {key: value for key, value in parameters.items() if key != name or not text}
        body = text
    if cell.acknowledged:
        inside["acknowledged"] = [one.model_dump(exclude_defaults=True) for one in cell.acknowledged]
    flags = ["cell", "parameters"] if cell.is_parameters else ["cell"]
    attributes = " ".join([*flags, *(f"{key}={parameters_as.attribute(value)}" for key, value in inside.items())])
    fence = "`" * (max([2, *map(len, _BACKTICKS.findall(body))]) + 1)
    return "\n".join([f"{fence}{cell.kind} {{{attributes}}}", *([body] if body else []), fence])


def _without_defaults(cell: DocumentCell) -> dict[str, Json]:
    fields = KINDS.get(cell.kind).model_fields
    # As JSON has them: a tuple is a list there.
    defaults = {
        name: _ANYTHING.dump_python(field.get_default(call_default_factory=True), mode="json")
        for name, field in fields.items()
        if not field.is_required()
    }
    return {name: value for name, value in cell.parameters.items() if name not in defaults or value != defaults[name]}


register(Format("trail.md", write, read))
