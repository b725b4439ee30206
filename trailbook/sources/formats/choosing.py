"""Which format a file has, and what is in it if it is packed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from trailbook.errors import CellFailed
from trailbook.model.misfits import misfits
from trailbook.sources.formats.format import FORMATS, Format, head_of
from trailbook.sources.formats.packed import packing_of, unpacked

AUTO = "auto"
FEW = 10
"""Members of an archive that are listed."""
_BY_LOOK = ("parquet", "orc", "avro", "excel", "json", "xml", "csv", "text")
"""The order in which formats are asked: those first that can be told from a few bytes."""


@dataclass(frozen=True)
class Opened:
    """A file that is not packed any more; with a `problem`, it could not be unpacked to its end."""

    path: Path
    name: str
    problem: str | None = None


def opened(path: Path, name: str, member: str, folder: Path, most_bytes: int) -> Opened:
    """The file itself, or what is in it, unpacked into the folder."""
    if packing_of(path) is None:
        return Opened(path, name)
    target = folder / "unpacked"
    members = unpacked(path, name, target, most_bytes, member)
    found = next((each for each in members if each.path), None)
    if found is None:
        listed = ", ".join(each.name for each in members[:FEW])
        more = f" and {len(members) - FEW:,} others" if len(members) > FEW else ""
        raise CellFailed(f"{name} holds several files. Say as `member` which one is to be read: {listed}{more}.")
    return Opened(target, found.name, found.problem)


def format_of(wanted: str, path: Path, name: str) -> Format[Any]:
    """The format of that name; `auto` goes by the name of the file, then by how it looks."""
    if wanted != AUTO:
        return FORMATS.get(wanted)
    for _, format in FORMATS:
        if name.lower().endswith(format.extensions) and format.name != "text":
            return format
    head = head_of(path)
    found = next((format for known in _BY_LOOK if (format := FORMATS.get(known)).is_it(head)), None)
    if found is None:
        known = ", ".join(known for known, _ in FORMATS)
        raise CellFailed(f"The format of {name} can't be told from its name or its first bytes. Choose one: {known}.")
    return found


def options_of(format: Format[Any], given: Mapping[str, Any]) -> Any:
    """What was said about how to read it, or why it can't be meant."""
    if unknown := given.keys() - format.Options.model_fields.keys():
        known = ", ".join(format.Options.model_fields) or "none"
        raise CellFailed(f"{format.name} has no option {', '.join(sorted(unknown))}. It has: {known}.")
    try:
        return format.Options.model_validate(given)
    except ValidationError as error:
        problems = "; ".join(map(str, misfits(error.errors())))
        raise CellFailed(f"The options don't fit. {problems[:1].upper()}{problems[1:]}.") from error


def with_name(message: str, file: str) -> str:
    """What a format says of a file, with the name of the file."""
    if message.startswith(file):
        return message
    subject, _, rest = message.partition(" ")
    return f"{file} {rest}" if subject in ("It", "This") else f"{file}: {message}"
