"""The artifacts of an archive, unpacked aside: each is what its id says, and described as it is, not as is claimed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from trailbook.errors import Invalid
from trailbook.formats.archive.entries import refusal
from trailbook.formats.archive.layout import ARTIFACTS, ArchivedArtifact
from trailbook.formats.archive.reading import Archive
from trailbook.kernels.child.values.packed import DOUBTFUL
from trailbook.model.artifacts import Artifact, ArtifactKind, ArtifactState, Doubt
from trailbook.model.base import ArtifactId
from trailbook.store import artifacts
from trailbook.store.apart import described_apart
from trailbook.store.failures import disk_failures_told
from trailbook.store.store import Store

PIECE = 1 << 20

Facts = Mapping[str, Any]
"""What the content of an artifact tells, in place of what its record says."""


class StagedContents:
    """The artifacts of an archive in a folder of their own, checked."""

    def __init__(self, archive: Archive, store: Store, folder: Path, kinds: Mapping[ArtifactId, ArtifactKind]) -> None:
        self._files = store.files
        self._folder = folder / ARTIFACTS
        self._facts: dict[ArtifactId, Facts] = {}
        found = archive.files()
        for id, entries in found.items():
            _unpack(archive, entries, folder)
            self._require_identity(id)
            if kinds[id] is not ArtifactKind.DATASET:
                self._facts[id] = _facts_of(self._folder / id, kinds[id])
        datasets = [id for id in found if kinds[id] is ArtifactKind.DATASET]
        with store.reading() as tx:
            known = artifacts.many(tx, datasets)
        here = {id: _facts_here(known[id]) for id in known if known[id].state is ArtifactState.PRESENT}
        self._facts |= here | self._read([id for id in datasets if id not in here])

    def adopt(self) -> None:
        """Move all of them into their places."""
        for id in self._facts:
            path = self._folder / id
            self._files.adopt_directory(path) if path.is_dir() else self._files.adopt_file(path)

    def described(self, artifact: ArchivedArtifact) -> Artifact:
        """The artifact as it is; one that is not there can only be as it is said to be."""
        if artifact.content is None:
            return artifact.described().model_copy(update=self._facts.get(artifact.id, {}))
        data = hashlib.sha256(artifact.content.removesuffix(DOUBTFUL)).hexdigest()
        is_doubtful = artifact.content.endswith(DOUBTFUL)
        return artifact.described().model_copy(update=_value(len(artifact.content), is_doubtful, data))

    def _require_identity(self, id: ArtifactId) -> None:
        try:
            found = self._files.identify(self._folder / id)
        except Invalid as error:
            raise refusal(f"{ARTIFACTS}/{id}", error.message.rstrip(".")) from error
        if found != id:
            raise refusal(f"{ARTIFACTS}/{id}", f"its content has the digest {found}")

    def _read(self, ids: Sequence[ArtifactId]) -> dict[ArtifactId, Facts]:
        """What is known of datasets that nobody here has seen."""
        facts: dict[ArtifactId, Facts] = {}
        for id, told in zip(ids, described_apart([self._folder / id for id in ids]), strict=True):
            if told.facts is None:
                raise refusal(f"{ARTIFACTS}/{id}", told.problem.rstrip("."))
            facts[id] = {**dict(told.facts), "about": {}}
        return facts


def _facts_here(artifact: Artifact) -> Facts:
    """Content that is here already was looked at when it came."""
    return {name: getattr(artifact, name) for name in ("size", "columns", "rows", "doubt", "data", "about")}


def _unpack(archive: Archive, entries: Sequence[str], folder: Path) -> None:
    for entry in entries:
        target = folder / entry
        with disk_failures_told(str(folder)):
            target.parent.mkdir(parents=True, exist_ok=True)
        archive.unpack(entry, target)


def _facts_of(path: Path, kind: ArtifactKind) -> Facts:
    size = path.stat().st_size
    if kind is ArtifactKind.FILE:
        return {"size": size, "columns": (), "rows": None, "doubt": Doubt(), "data": None, "about": {}}
    with path.open("rb") as file:
        file.seek(max(0, size - len(DOUBTFUL)))
        is_doubtful = file.read() == DOUBTFUL
        file.seek(0)
        return _value(size, is_doubtful, _digest(file, size - len(DOUBTFUL) * is_doubtful))


def _value(size: int, is_doubtful: bool, data: str) -> Facts:
    return {"size": size, "columns": (), "rows": None, "doubt": Doubt(coarse=is_doubtful), "data": data}


def _digest(file: BinaryIO, size: int) -> str:
    """The SHA-256 of so many bytes."""
    found = hashlib.sha256()
    while size > 0 and (piece := file.read(min(size, PIECE))):
        found.update(piece)
        size -= len(piece)
    return found.hexdigest()
