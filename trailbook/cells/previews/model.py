"""What is asked about a file, and what a look at its beginning tells."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from trailbook.lenses.types.decision import Given
from trailbook.model.base import Json, Value

PREVIEW, REFUSAL = "+", "-"
"""What an answer begins with."""


class FileInQuestion(Value):
    """A file as a Load cell names it, and what is said about how to read it."""

    file: str = Field("", pattern=r"^([0-9a-f]{64})?$", description="The artifact id of an uploaded file.")
    file_name: str = Field("", description="What the uploaded file was called.")
    path: str = Field("", description="A file on the server's machine, inside the allowed folders.")
    url: str = Field("", description="A file elsewhere, of which the beginning is fetched.")
    format: str = Field("auto", description="auto goes by the file's name, and by how it looks.")
    member: str = Field("", description="Which file of a zip archive it is.")
    options: dict[str, Json] = Field({}, description="How to read the format. What is left out is found out.")
    types: dict[str, Given] = Field(
        {}, description="What is settled for a column; columns that are not there don't matter."
    )


class Wanted(Value):
    """A file, what its owner calls it, and what was said about how to read it."""

    path: Path
    name: str
    folder: Path
    """For what is unpacked."""
    format: str = "auto"
    member: str = ""
    options: Mapping[str, Json] = Field({})
    types: Mapping[str, Given] = Field({})
    is_cut: bool = False
    """Whether it is only the beginning of a file that is elsewhere."""


class Archived(Value):
    """A file in an archive."""

    name: str
    size: int


class PreviewColumn(Value):
    """A column as it would be loaded: its type, how its texts are read, and what stands for a missing value."""

    name: str
    type: str
    is_text: bool
    """Whether the file has it as text, so that its type is inferred and can be said otherwise."""
    formats: tuple[str, ...] = ()
    """How its values are written, the usual way first."""
    codes: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    """Texts that may stand for a missing value, and are read as what they say."""
    note: str = ""


class Mark(Value):
    """What would be in doubt of a row: the row itself (column 0) or its value in a column, from 1; and why."""

    column: int
    why: str


class PreviewRow(Value):
    """A row by its line, or its number, in the file. Values are texts as they would be shown; long ones are cut."""

    line: int
    values: tuple[str | None, ...]
    marks: tuple[Mark, ...] = ()


class Problem(Value):
    """What is wrong with a record, or why it is taken for no row."""

    line: int
    what: str
    is_left_out: bool


class Preview(Value):
    """What a load would give, as far as the beginning of the file tells.

    Of an archive with several files and none of them chosen, `members` is all there is.
    """

    format: str = ""
    options: Mapping[str, Json] = Field({})
    """All of them, those included that were found out."""
    guessed: tuple[str, ...] = ()
    members: tuple[Archived, ...] = ()
    columns: tuple[PreviewColumn, ...] = ()
    more_columns: int = 0
    """That are not shown."""
    rows: tuple[PreviewRow, ...] = ()
    records: int = 0
    """That were looked at, without those left out."""
    problems: tuple[Problem, ...] = ()
    """The first of them."""
    problem_count: int = 0
    left_out: int = 0
    """Of these, records that are taken for no rows."""
    is_whole: bool = True
    """Whether all of the file was looked at."""
    cut_off: str | None = None
    """Why not all of the file can be read, if so."""
