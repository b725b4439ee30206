"""What a format is, and which there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from trailbook.errors import Invalid
from trailbook.formats.document import Document
from trailbook.registry import Registry
from trailbook.settings import MIB


@dataclass(frozen=True)
class ReadOptions:
    """`allow_shell` lets shell commands of a Jupyter notebook run; otherwise their cells fail, and say why."""

    allow_shell: bool = False


@dataclass(frozen=True)
class Format:
    """A way to write a notebook as one text. A format that can't be read back has no `read`.

    `preview_rows` is how many rows of each dataset it shows.
    """

    name: str
    write: Callable[[Document], str]
    read: Callable[[str, ReadOptions], Document] | None = None
    preview_rows: int = 0

    @property
    def suffix(self) -> str:
        return f".{self.name}"


LARGEST_FILE = 512 * MIB
"""Bytes of a file that is read as a notebook; all of it is in memory for that."""
FORMATS: Registry[Format] = Registry("format", "trailbook.formats")


def register(format: Format) -> Format:
    """Make the format known."""
    FORMATS.add(format.name, format)
    return format


def read_document(name: str, content: bytes, options: ReadOptions) -> Document:
    """The notebook in a file, by the end of the file's name."""
    format = format_of(name)
    if format is None or format.read is None:
        known = ", ".join(format.suffix for _, format in FORMATS if format.read)
        raise Invalid(f"{name} can't be read as a notebook: its name should end in one of {known}.")
    try:
        return _require_text(format.read(content.decode("utf-8-sig"), options))
    except UnicodeDecodeError as error:
        raise Invalid(f"{name} is not text in UTF-8: byte {error.start} does not belong there.") from error
    except Invalid as error:
        raise Invalid(f"{name}: {error.message}", **error.details) from error


def _require_text(document: Document) -> Document:
    try:
        document.model_dump_json()
    except ValueError as error:
        raise Invalid("There are halves of characters in it (surrogates), which are no text.") from error
    return document


def format_of(name: str) -> Format | None:
    """The format that a file's name stands for."""
    return next((format for _, format in FORMATS if name.lower().endswith(format.suffix)), None)


def title_of(name: str, document: Document) -> str:
    """What a project made of a file is called: one line that can be seen."""
    base = PurePath(name).name
    found = format_of(base)
    stem = base[: -len(found.suffix)] if found else base
    title = "".join(filter(str.isprintable, document.title)).strip()
    return title or stem.strip() or base
