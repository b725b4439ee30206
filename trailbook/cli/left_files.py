"""The files that cells left in their working directory, put where a notebook's files are expected."""

from __future__ import annotations

import shutil
from pathlib import Path

from trailbook.cells.workfiles import EMPTY
from trailbook.cli.run_report import names_at_end
from trailbook.errors import Invalid
from trailbook.model.artifacts import ArtifactKind
from trailbook.model.runs import FILE
from trailbook.store.files import ArtifactFiles
from trailbook.workflow.views import Notebook


def put_files(notebook: Notebook, files: ArtifactFiles, folder: Path) -> list[str]:
    """Copy into the folder what cells made or changed, and return the paths."""
    left = {name.removeprefix(FILE): artifact for name, artifact in names_at_end(notebook, ArtifactKind.FILE).items()}
    written = sorted(path for path in left if not path.endswith(EMPTY))
    for path in written:
        try:
            _copy(files.path(left[path].id), folder / path)
        except OSError as error:
            raise Invalid(f"{folder / path} can't be written: {error.strerror}.") from error
    return written


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = target.with_name(f".{target.name}.part")
    shutil.copyfile(source, aside)
    aside.replace(target)
