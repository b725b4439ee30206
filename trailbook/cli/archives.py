"""`trailbook export` and `trailbook import` of whole projects: files that end in `.trailbook`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cli.projects import names_of, project_called
from trailbook.errors import Invalid, NotFound
from trailbook.settings import Settings

if TYPE_CHECKING:
    from trailbook.model.base import ProjectId
    from trailbook.store.store import Store

ARCHIVE = "trailbook"


def is_archive(name: str) -> bool:
    return name.lower().endswith(f".{ARCHIVE}")


def export_archive(settings: Settings, options: argparse.Namespace) -> int:
    """Also while a server works on the project: the archive has it as it was at one moment."""
    from trailbook.formats.archive.export import Export
    from trailbook.store.store import Store

    if not options.output:
        raise Invalid(f"An archive is nothing for a terminal: name a file, -o OUT.{ARCHIVE}.")
    with closing(Store.visit(settings)) as store, closing(Export(store, _project(store, options.project))) as export:
        _write(Path(options.output), export.pieces(), export.size)
    return 0


def import_archive_file(settings: Settings, path: Path) -> int:
    from trailbook.formats.archive.entries import Limits
    from trailbook.formats.archive.importing import import_archive
    from trailbook.store import persons
    from trailbook.store.store import Store

    try:
        file = path.open("rb")
    except OSError as error:
        raise Invalid(f"{path} can't be read: {error.strerror}.") from error
    with file, closing(Store.open(settings)) as store:
        with store.writing() as tx:
            person = persons.local_person(tx, settings.person)
        project = import_archive(store, file, Limits.of(settings), person.id)
    print(f"Imported as the project {project.name}, with its history ({project.id}).")
    return 0


def _project(store: Store, name: str) -> ProjectId:
    from trailbook.store import projects

    with store.reading() as tx:
        known = projects.all(tx)
    found = project_called(name, known)
    if found is None:
        names = names_of(known)
        raise NotFound(f"There is no project {name}. Known: {names}. An archive has all branches of a project.")
    return found.id


def _write(path: Path, pieces: Iterable[bytes], size: int) -> None:
    """Under another name until it is whole."""
    aside = path.with_name(f"{path.name}.part")
    written = 0
    try:
        with aside.open("wb") as file:
            for piece in pieces:
                written += file.write(piece)
                _tell(written, size)
        os.replace(aside, path)
    except OSError as error:
        raise Invalid(f"{path} can't be written: {error.strerror}.") from error
    finally:
        aside.unlink(missing_ok=True)


def _tell(written: int, size: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if written == size else ""
        print(f"\r{written:,} of {size:,} bytes", end=end, file=sys.stderr, flush=True)
