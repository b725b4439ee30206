"""From a Jupyter notebook to a document. What is not as the format says is refused with the cell it is in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from trailbook.errors import Invalid, TrailbookError
from trailbook.formats.document import Accepted, Document, DocumentCell, checked_packages, checked_parameters, text_cell
from trailbook.formats.format import ReadOptions
from trailbook.formats.ipynb.attachments import with_attachments
from trailbook.formats.ipynb.other_kinds import read_other_kind
from trailbook.formats.ipynb.outputs import read_outputs
from trailbook.formats.ipynb.texts import Raw, entries, joined, member
from trailbook.formats.magics import rewrite
from trailbook.model.base import CellHandle
from trailbook.model.edits import InsertCell

OLDEST, NEWEST = 3, 4
PARAMETERS = "parameters"
RAISES = "raises-exception"
"""How Jupyter tags a cell that is meant to fail."""
"""The tag of the cell whose assignments are meant to be replaced; papermill's."""


def read(text: str, options: ReadOptions | None = None) -> Document:
    """The notebook's cells, with magics as plain Python, and the outputs they had."""
    notebook = _parsed(text)
    metadata = member(notebook, "metadata", dict)
    _require_python(metadata)
    title = metadata.get("title")
    cells = _cells(_raw_cells(notebook), options or ReadOptions())
    packages = checked_packages(member(member(metadata, "trailbook", dict), "packages", list))
    return Document(title=title if isinstance(title, str) else "", packages=packages, cells=tuple(cells))


def _parsed(text: str) -> Raw:
    try:
        notebook = _strict_json(text)
    except ValueError as error:
        raise Invalid(f"This is not a Jupyter notebook: it is not JSON ({error}).") from error
    except RecursionError as error:
        raise Invalid("This is not a Jupyter notebook: it is nested too deeply.") from error
    version = notebook.get("nbformat") if isinstance(notebook, dict) else None
    if not isinstance(version, int):
        raise Invalid("This is not a Jupyter notebook: it has no `nbformat`.")
    if version > NEWEST:
        raise Invalid(f"The notebook has format {version}; formats {OLDEST} and {NEWEST} can be read.")
    if version < OLDEST:
        raise Invalid(
            f"The notebook has the old format {version}. Open it in Jupyter and save it, then import it again."
        )
    return dict(notebook)


def _strict_json(text: str) -> Any:
    """JSON without what only Python takes for it: NaN, infinities, and halves of characters, which become `�`."""
    found = json.loads(text, parse_constant=lambda name: None)
    if r"\ud" not in text.lower():
        return found
    whole = json.dumps(found, ensure_ascii=False).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return json.loads(whole)


def _require_python(metadata: Raw) -> None:
    spec, info = member(metadata, "kernelspec", dict), member(metadata, "language_info", dict)
    language = str(info.get("name") or spec.get("language") or "python")
    if "python" not in language.lower():
        raise Invalid(f"The notebook is written in {language}. Only notebooks in Python can be imported.")


def _raw_cells(notebook: Raw) -> list[Raw]:
    if notebook["nbformat"] == NEWEST:
        return entries(notebook, "cells")
    return [cell for sheet in entries(notebook, "worksheets") for cell in entries(sheet, "cells")]


def _cells(raw: Sequence[Raw], options: ReadOptions) -> Iterator[DocumentCell]:
    taken: set[str] = set()
    for number, cell in enumerate(raw, 1):
        try:
            read = _cell(cell, options)
            handle = _handle(cell.get("id"), taken)
            yield read.model_copy(update={"handle": handle}) if handle else read
        except TrailbookError as error:
            raise Invalid(f"Cell {number}: {error.message}", **error.details) from error


def _cell(cell: Raw, options: ReadOptions) -> DocumentCell:
    # Format 3 calls the code of a cell its input.
    source = joined(cell.get("source", cell.get("input", "")))
    match cell.get("cell_type"):
        case "code":
            return _code_cell(cell, source, options)
        case "markdown":
            return text_cell("markdown", with_attachments(source, member(cell, "attachments", dict)))
        case "heading":
            level = cell.get("level")
            return text_cell("markdown", f"{'#' * (level if isinstance(level, int) else 1)} {source}")
        case "raw" | "html" as kind:
            return text_cell("markdown", _fenced(source) if kind == "raw" else source)
        case other:
            raise Invalid(f"There is no kind of cell {other!r} in Jupyter. Known: code, markdown, raw, heading.")


def _code_cell(cell: Raw, source: str, options: ReadOptions) -> DocumentCell:
    language = cell.get("language", "python")
    if language != "python":
        raise Invalid(f"The cell is written in {language}. Only Python can be imported.")
    metadata = member(cell, "metadata", dict)
    made = read_other_kind(source) or rewrite(source, allow_shell=options.allow_shell)
    messages, error = read_outputs(entries(cell, "outputs"))
    tags = member(metadata, "tags", list)
    may_fail = {"may_fail": True} if RAISES in tags and made.kind == "python" else {}
    return DocumentCell(
        kind=made.kind,
        parameters=checked_parameters(made.kind, {**made.parameters, **may_fail}),
        acknowledged=_accepted(member(metadata, "trailbook", dict)),
        is_parameters=PARAMETERS in tags and made.kind == "python",
        messages=messages,
        error=error,
    )


def _accepted(own: Raw) -> tuple[Accepted, ...]:
    try:
        return tuple(Accepted(**one) for one in member(own, "acknowledged", list))
    except (TypeError, ValueError) as error:
        raise Invalid("What metadata.trailbook.acknowledged says can't be understood.") from error


def _handle(id: Any, taken: set[str]) -> CellHandle | None:
    """The cell's id, if it can be a handle here and no cell above has it."""
    try:
        handle = InsertCell(handle=id, kind="python").handle
    except ValueError:
        return None
    if handle is None or handle in taken:
        return None
    taken.add(handle)
    return handle


def _fenced(source: str) -> str:
    """Text that is meant for another program, as it is."""
    fence = "```"
    while fence in source:
        fence += "`"
    return f"{fence}\n{source}\n{fence}" if source.strip() else ""
