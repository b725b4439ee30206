"""`trailbook run`: a notebook from its first cell to its last, for people and for machines that check notebooks."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from trailbook.cli.files import find_branch, open_workbench, read_file, require_store, write_text
from trailbook.cli.parser import OneLineParser
from trailbook.errors import Invalid, TrailbookError
from trailbook.settings import Settings, load_settings

if TYPE_CHECKING:
    from trailbook.model.base import BranchId, Json
    from trailbook.model.notebook import Branch
    from trailbook.workflow.workbench import Workbench

CELL_FAILED = 1
BAD_USAGE = 2
HAS_CAVEATS = 3


def add_arguments(parser: OneLineParser) -> None:
    parser.exit_code = BAD_USAGE
    parser.add_argument("notebook", metavar="FILE", help="A .ipynb or .trail.md file, or PROJECT[:BRANCH].")
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], help="Another value for a parameter of the file."
    )
    parser.add_argument("--json", metavar="REPORT", type=Path, default=None, help="Write what happened to this file.")
    parser.add_argument("--html", metavar="OUT", type=Path, default=None, help="Write the notebook with its results.")
    parser.add_argument(
        "--files",
        metavar="DIR",
        type=Path,
        default=None,
        help="Where to put the files that cells leave; by default the folder of FILE, and nowhere for a project.",
    )
    parser.add_argument(
        "--fail-on-caveats", action="store_true", default=False, help=f"Exit with {HAS_CAVEATS} if data is in doubt."
    )


def run(options: argparse.Namespace) -> int:
    """Run the notebook; the exit code says how it went."""
    # Whoever ends it, what it started is ended, too, and what it made on the way is gone.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _require_places(options)
        with _opened(options) as (bench, branch):
            return _run(bench, branch, options)
    except TrailbookError as error:
        print(f"trailbook run: {error.message}", file=sys.stderr)
        return BAD_USAGE


def _require_places(options: argparse.Namespace) -> None:
    """Nobody should learn at the end of a long run that its report can't be written."""
    for path in filter(None, (options.json, options.html)):
        if path.is_dir() or not path.parent.is_dir():
            problem = "it is a folder" if path.is_dir() else f"there is no folder {path.parent}"
            raise Invalid(f"{path} can't be written: {problem}.")


def _run(bench: Workbench, branch: BranchId, options: argparse.Namespace) -> int:
    from trailbook.cli.left_files import put_files
    from trailbook.cli.progress import ProgressLines
    from trailbook.cli.run_report import names_in_doubt, report_of
    from trailbook.cli.running import run_to_end
    from trailbook.formats.exporting import export_document
    from trailbook.formats.format import FORMATS
    from trailbook.model.base import now

    began = now()
    notebook = run_to_end(bench, branch, ProgressLines(sys.stdout))
    report = report_of(notebook, began)
    if options.json:
        write_text(options.json, report.model_dump_json(indent=2) + "\n")
    if options.html:
        html = FORMATS.get("html")
        write_text(options.html, html.write(export_document(bench, notebook.ref, html.preview_rows)))
    if options.files and (written := put_files(notebook, bench.store.files, options.files)):
        print(f"Wrote {', '.join(written)} in {options.files}.")
    if not report.is_done:
        return CELL_FAILED
    if options.fail_on_caveats and (doubtful := names_in_doubt(notebook)):
        print(f"trailbook run: in doubt, and not acknowledged: {', '.join(doubtful)}.", file=sys.stderr)
        return HAS_CAVEATS
    return 0


@contextmanager
def _opened(options: argparse.Namespace) -> Iterator[tuple[Workbench, BranchId]]:
    """A workbench, ready to run the notebook, and the branch that it is on."""
    from trailbook.formats.format import format_of

    settings = load_settings(vars(options))
    opened = _file if format_of(options.notebook) else _project
    with opened(options, settings) as (bench, branch):
        # What takes a while to start does so while the rest is prepared, and only if somebody will use it.
        bench.zygote.start()
        if _needs_spark(bench, branch):
            bench.engine.start()
        yield bench, branch


@contextmanager
def _file(options: argparse.Namespace, settings: Settings) -> Iterator[tuple[Workbench, BranchId]]:
    """In a data directory of its own, gone afterwards, but for the environments: those take long to build.

    Paths in the notebook start at its folder, as in Jupyter.
    """
    from trailbook.formats.format import title_of
    from trailbook.formats.importing import import_document
    from trailbook.formats.overriding import override, parse_override

    path = Path(options.notebook).absolute()
    options.files = options.files or path.parent
    for output in ("json", "html", "files"):
        if getattr(options, output):
            setattr(options, output, getattr(options, output).absolute())
    document = override(read_file(path, settings), dict(map(parse_override, options.set)))
    bare = document.model_copy(update={"cells": tuple(cell.without_results() for cell in document.cells)})
    with TemporaryDirectory(prefix="trailbook-") as directory, chdir(path.parent):
        inside = replace(
            settings,
            data=Path(directory) / "data",
            environments=str(settings.environments_folder),
            database="",
            broker="",
            folders=(*settings.readable_folders, path.parent),
            home=str(path.parent),
        )
        with open_workbench(inside) as bench:
            branch = import_document(bench, bare, title_of(path.name, bare), path.name, bench.person.id)
            yield bench, branch.id


@contextmanager
def _project(options: argparse.Namespace, settings: Settings) -> Iterator[tuple[Workbench, BranchId]]:
    """In the data directory itself. With other parameters, on a branch of its own: the notebook stays as it is."""
    from trailbook.formats.overriding import parse_override

    values = dict(map(parse_override, options.set))
    require_store(settings, options.notebook)
    with open_workbench(settings) as bench:
        branch = find_branch(bench, options.notebook)
        yield bench, _forked(bench, branch, values).id if values else branch.id


def _forked(bench: Workbench, branch: Branch, values: dict[str, Json]) -> Branch:
    from trailbook.formats.exporting import export_document
    from trailbook.formats.overriding import override
    from trailbook.model.base import now
    from trailbook.model.edits import UpdateCell
    from trailbook.model.notebook import VersionRef
    from trailbook.workflow import history

    source = VersionRef(branch=branch.id, number=branch.head)
    document = export_document(bench, source)
    wanted = override(document, values)
    name = f"{branch.name} with {', '.join(values)}, {now():%Y-%m-%d %H:%M:%S}"
    with bench.store.writing() as tx:
        forked = history.fork(tx, source, name, bench.person.id)
        ref = VersionRef(branch=forked.id, number=forked.head)
        for before, after in zip(document.cells, wanted.cells, strict=True):
            if after != before and after.handle:
                change = UpdateCell(handle=after.handle, parameters=after.parameters)
                ref = history.edit(tx, ref, change, bench.person.id).ref
    return forked


def _needs_spark(bench: Workbench, branch: BranchId) -> bool:
    """Python cells get at Spark by a name that says so; all others but text are queries."""
    cells = bench.head(branch).cells
    return any(
        "spark" in cell.parameters["code"].lower() if cell.kind == "python" else cell.kind != "markdown"
        for cell in cells
    )
