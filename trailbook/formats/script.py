"""A Python script that does what the notebook does: `# %%` starts a cell, as editors know it.

SQL runs through `trailbook.connect()`, which understands the same queries as the app. What a query reads is passed to
it by name, so that the script shows what depends on what.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from trailbook.cells.kind import parse
from trailbook.formats.document import Document, DocumentCell
from trailbook.formats.format import Format, register
from trailbook.formats.parameter_text import body_text
from trailbook.model.notebook import Spec

QUERY = '''\
import trailbook

db = trailbook.connect()


def query(text, **tables):
    """The result of a query over data frames, by the names that it has for them."""
    for name, frame in tables.items():
        if name in db.tables:
            db.drop(name)
        db.create(name, frame)
    return db.sql(text).fetch().table.to_pandas()'''
SPARK = "spark = db.spark"
DISPLAY = "display = print"
PANDAS = "import pandas"


def write(document: Document) -> str:
    title = [f"# {document.title}"] if document.title.isprintable() and document.title else []
    header = "\n".join(_header(document))
    parts = [*title, *_dependencies(document), *([f"# %%\n{header}"] if header else []), *map(_cell, document.cells)]
    return "\n\n".join(parts) + "\n"


def _dependencies(document: Document) -> Iterator[str]:
    """Inline metadata, by which tools that run scripts install what one needs."""
    if document.packages:
        listed = json.dumps(["trailbook", *document.packages], ensure_ascii=False)
        yield f"# /// script\n# dependencies = {listed}\n# ///"


def _header(document: Document) -> Iterator[str]:
    """What the cells take for granted."""
    kinds = {cell.kind for cell in document.cells}
    code = "\n".join(cell.text for cell in document.cells if cell.kind == "python")
    if "load" in kinds:
        yield PANDAS
    if "sql" in kinds or "spark" in code:
        yield QUERY
    if "spark" in code:
        yield f"\n\n{SPARK}"
    if "display(" in code:
        yield DISPLAY


def _cell(cell: DocumentCell) -> str:
    match cell.kind:
        case "python":
            return f"# %%\n{cell.text}".rstrip()
        case "markdown":
            return f"# %% [markdown]\n{_comment(cell.text)}"
        case "sql":
            return f"# %%\n{cell.parameters['name']} = {_query(cell)}"
        case "load" if not cell.parameters.get("published"):
            return f"# %%\n{cell.parameters['name']} = {_loading(cell)}"
    return f"# %% [{cell.kind}] Only Trailbook can do this.\n{_comment(body_text(cell.parameters))}"


def _comment(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines()) or "#"


def _query(cell: DocumentCell) -> str:
    reads = parse(Spec(kind=cell.kind, parameters=cell.parameters)).reads() or ()
    tables = "".join(f", {name}={name}" for name in sorted(reads) if name.isidentifier())
    return f"query({_text(cell.text)}{tables})"


def _text(text: str) -> str:
    """A literal that is easy to read where that is possible."""
    if '"""' in text or "\\" in text or "\r" in text or "\n" not in text:
        return repr(text)
    return f'"""\n{text}\n"""'


_READERS = {
    "read_parquet": (("parquet",), (".parquet", ".pq")),
    "read_orc": (("orc",), (".orc",)),
    "read_excel": (("excel",), (".xlsx", ".xlsm", ".ods")),
    "read_xml": (("xml",), (".xml",)),
    "read_json": (("json",), (".json",)),
    "read_fwf": (("fixed_width", "text"), (".fwf", ".prn", ".dat")),
}
"""Functions of pandas, with the formats and endings of names that they are for."""


def _loading(cell: DocumentCell) -> str:
    parameters = cell.parameters
    path = parameters["path"] or parameters["file_name"]
    format, options = parameters["format"], parameters["options"]
    for reader, (names, endings) in _READERS.items():
        if format in names or (format == "auto" and path.lower().endswith(endings)):
            return f"pandas.{reader}({path!r})"
    if path.lower().endswith((".jsonl", ".ndjson")):
        return f"pandas.read_json({path!r}, lines=True)"
    # Pandas finds out what is left out, as Trailbook does, if Python itself reads the file.
    separator = options.get("delimiter")
    header = "" if options.get("header", True) else ", header=None"
    return f"pandas.read_csv({path!r}, sep={separator!r}{header}{'' if separator else ', engine=' + repr('python')})"


register(Format("py", write))
