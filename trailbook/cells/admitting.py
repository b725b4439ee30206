"""What code in a sandbox wrote, looked at before anything outside of it relies on that."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trailbook.errors import CellFailed
from trailbook.kernels.names import Made, MadeDataset, MadeValue
from trailbook.store.apart import described_apart


def require_harmless(made: Mapping[str, Made], scratch: Path) -> None:
    """Refuse what would do harm to who reads it, or show what the code can't see. It writes in `scratch` only."""
    inside = scratch.resolve()
    datasets = {name: one.path for name, one in made.items() if isinstance(one, MadeDataset)}
    own = {name: path for name, path in datasets.items() if path.is_relative_to(inside)}
    values = {name: one.source for name, one in made.items() if isinstance(one, MadeValue)}
    for name, path in (*own.items(), *values.items()):
        if isinstance(path, Path):
            _require_plain(name, path)
    for name, told in zip(own, described_apart(list(own.values())), strict=True):
        if told.facts is None:
            raise CellFailed(f"{name} can't be stored: {told.problem.rstrip('.')}.")


def _require_plain(name: str, path: Path) -> None:
    """A link shows whatever it leads to, and whoever opens a pipe waits for ever."""
    for one in (path, *path.rglob("*")):
        if one.is_symlink() or not (one.is_file() or one.is_dir()):
            raise CellFailed(f"{name} can't be stored: {one.name} is not a plain file.")
