"""Writes the tables of options in docs/ anew, from the types of the formats, the targets and the Load and Export cells.

A table stands between `<!-- options: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from trailbook.cells.export import ExportCell
from trailbook.cells.load import LoadCell
from trailbook.sinks.sink import SINKS
from trailbook.sinks.targets.database import TableOptions
from trailbook.sources.formats.format import FORMATS

DOCS = Path(__file__).parent.parent / "docs"
PAGES = ("loading.md", "exporting.md")
_TABLE = re.compile(r"(<!-- options: ([\w ]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_PLAIN = {str: "text", bool: "true, false", int: "number", float: "number", type(None): "", Any: "any"}


def options() -> dict[str, type[BaseModel]]:
    """All that have a table, by name."""
    return {
        **{f"load {name}": format.Options for name, format in FORMATS},
        **{f"export {name}": sink.options for name, sink in SINKS},
        "export table": TableOptions,
        "load cell": LoadCell,
        "export cell": ExportCell,
    }


def written(page: str) -> str:
    """The page with its tables as they should be."""
    known = options()
    return _TABLE.sub(lambda found: f"{found[1]}\n{_table(known[found[2]])}\n{found[4]}", page)


def _table(of: type[BaseModel]) -> str:
    if not of.model_fields:
        return "No options.\n"
    return "\n".join(["| option | values | default | |", "| --- | --- | --- | --- |", *_rows(of)]) + "\n"


def _rows(of: type[BaseModel]) -> Iterator[str]:
    for name, field in of.model_fields.items():
        told = (field.description or "").replace("|", "\\|")
        yield f"| `{name}` | {_values(field.annotation)} | {_default(field)} | {told} |"


def _values(annotation: Any) -> str:
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    parts = get_args(annotation)
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{part}`" for part in parts)
    if get_origin(annotation) in (Union, types.UnionType):
        return ", ".join(filter(None, map(_values, parts)))
    return "object" if get_origin(annotation) is dict else f"list of {_values(parts[0])}s"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    match field.default:
        case None:
            return "found out"
        case "" | () | {}:
            return "empty"
        case bool():
            return f"`{field.default}`".lower()
        case _:
            return f"`{field.default}`"


def main() -> None:
    for name in PAGES:
        page = DOCS / name
        page.write_text(written(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
