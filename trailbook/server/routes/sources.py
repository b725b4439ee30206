"""What a form needs to know to have files loaded: formats with their options, and types with their ways of writing."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from trailbook.lenses.types.decision import TYPES, formats_of
from trailbook.model.base import Value
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented

router = APIRouter(prefix="/sources", tags=["files"], responses=documented())


class SourceFormat(Value):
    """A format of files, with the JSON schema of its options."""

    name: str
    title: str
    extensions: tuple[str, ...]
    options: dict[str, Any]


class ColumnType(Value):
    """A type that a column of text can be given, and how its values may be written."""

    type: str
    formats: tuple[str, ...]


class Sources(Value):
    """What can be loaded: files of these formats, and tables of these databases that have names."""

    formats: tuple[SourceFormat, ...]
    types: tuple[ColumnType, ...]
    databases: tuple[str, ...]


@router.get("")
def list_sources(bench: Bench, person: CurrentPerson) -> Sources:
    """The formats of files that can be loaded, the types that columns can have, and the databases that have names."""
    # Arrow takes a third of a second to import, which the server's start does not wait for.
    from trailbook.sources.formats.format import FORMATS

    # Whoever asks is about to look at a file.
    bench.looker.start()
    return Sources(
        formats=tuple(
            SourceFormat(
                name=name,
                title=format.title,
                extensions=format.extensions,
                options=format.Options.model_json_schema(),
            )
            for name, format in FORMATS
        ),
        types=tuple(ColumnType(type=type, formats=formats_of(type)) for type in TYPES),
        databases=tuple(sorted(bench.settings.databases)),
    )
