"""`trailbook import` and `trailbook export`, and what they share with `trailbook run`: files and projects by name."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cli.archives import ARCHIVE, export_archive, import_archive_file, is_archive
from trailbook.cli.parser import OneLineParser
from trailbook.cli.projects import names_of, project_called
from trailbook.errors import Invalid, NotFound
from trailbook.settings import Settings, load_settings

if TYPE_CHECKING:
    from trailbook.formats.document import Document
    from trailbook.model.notebook import Branch
    from trailbook.workflow.workbench import Workbench


def add_import_arguments(parser: OneLineParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="A .ipynb or .trail.md file, or the .trailbook of a project."
    )


def add_export_arguments(parser: OneLineParser) -> None:
    parser.add_argument("project", metavar="PROJECT[:BRANCH]", help="A project by name or id, and one of its branches.")
    parser.add_argument(
        "--format",
        default="",
        help="ipynb, trail.md, py, html or trailbook (the whole project); by default as OUT is called.",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        default="",
        type=lambda name: "" if name == "-" else name,
        help="The file to write; by default, and as -, the terminal.",
    )


def import_file(options: argparse.Namespace) -> int:
    from trailbook.formats.format import title_of
    from trailbook.formats.importing import import_document

    settings = load_settings(vars(options))
    if is_archive(options.file.name):
        return import_archive_file(settings, options.file)
    document = read_file(options.file, settings)
    with open_workbench(settings) as bench:
        name = title_of(options.file.name, document)
        branch = import_document(bench, document, name, options.file.name, bench.person.id)
    print(f"Imported as the project {name}, with {len(document.cells)} cells ({branch.project}).")
    return 0


def export_file(options: argparse.Namespace) -> int:
    from trailbook.formats.exporting import export_document
    from trailbook.formats.format import FORMATS, format_of
    from trailbook.model.notebook import VersionRef

    settings = load_settings(vars(options))
    if options.format == ARCHIVE or (not options.format and is_archive(options.output)):
        return export_archive(settings, options)
    format = FORMATS.get(options.format) if options.format else format_of(options.output)
    if format is None:
        raise Invalid(f"Say in which --format to write it: {', '.join([*(name for name, _ in FORMATS), ARCHIVE])}.")
    require_store(settings, options.project)
    with open_workbench(settings) as bench:
        branch = find_branch(bench, options.project)
        ref = VersionRef(branch=branch.id, number=branch.head)
        text = format.write(export_document(bench, ref, format.preview_rows))
    if options.output:
        write_text(Path(options.output), text)
    else:
        sys.stdout.write(text)
    return 0


@contextmanager
def open_workbench(settings: Settings) -> Iterator[Workbench]:
    from trailbook.workflow.workbench import Workbench

    bench = Workbench(settings)
    try:
        yield bench
    finally:
        bench.close()


def read_file(path: Path, settings: Settings) -> Document:
    """The notebook in a file."""
    from trailbook.formats.format import LARGEST_FILE, ReadOptions, read_document

    try:
        size = os.stat(path).st_size
        if size > LARGEST_FILE:
            raise Invalid(f"{path} has {size:,} bytes; a notebook may have {LARGEST_FILE:,}. Clear its outputs first.")
        return read_document(path.name, path.read_bytes(), ReadOptions(settings.allow_shell))
    except OSError as error:
        raise Invalid(f"{path} can't be read: {error.strerror}.") from error


def write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8", newline="")
    except OSError as error:
        raise Invalid(f"{path} can't be written: {error.strerror}.") from error


def require_store(settings: Settings, name: str) -> None:
    """Looking for a project must not make a data directory."""
    if not settings.database and not (settings.data / "trailbook.db").exists():
        raise NotFound(f"There is no project {name}: {settings.data} holds no projects yet. Is it the name of a file?")


def find_branch(bench: Workbench, name: str) -> Branch:
    """The branch that `PROJECT` or `PROJECT:BRANCH` means; without one, the project's first."""
    known = bench.projects()
    # Either name may have colons in it.
    splits = [(name, ""), *((name[:i], name[i + 1 :]) for i, character in enumerate(name) if character == ":")]
    meant = ((project, branch) for first, branch in splits if (project := project_called(first, known)))
    project, branch_name = next(meant, (None, ""))
    if project is None:
        raise NotFound(f"There is no project {name}. Known: {names_of(known)}.")
    branches = bench.branches(project.id)
    found = [branch for branch in branches if branch_name in ("", branch.name, branch.id)]
    if not found:
        raise NotFound(f"{project.name} has no branch {branch_name}. Known: {', '.join(b.name for b in branches)}.")
    return found[0]
