"""Which datasets can be made again from what stays in the store."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlalchemy import Connection, select

from trailbook.model.artifacts import Artifact, ArtifactKind
from trailbook.model.base import ArtifactId, RunId
from trailbook.model.notebook import Spec
from trailbook.model.runs import CellState, Run
from trailbook.store import tables

# A word of these anywhere in a query, even in a comment, is enough: a doubt keeps the files.
_UNSTABLE = re.compile(
    r"\b(rand|randn|random|randstr|uniform|uuid|shuffle|now|current_\w+|localtimestamp|curdate|unix_timestamp|limit"
    r"|tablesample|first|first_value|last|last_value|any_value|collect_list|collect_set|array_agg|listagg|string_agg"
    r"|monotonically_increasing_id|spark_partition_id|input_file_\w+|row_number|ntile|session_user|version)\b",
    re.IGNORECASE,
)


def repeatable(spec: Spec) -> bool:
    """Whether a run of this spec gives the same data each time it reads the same artifacts.

    A Python cell may look at clocks, the network or chance, so it never counts as repeatable.
    """
    if spec.kind == "load":
        return bool(spec.parameters.get("file"))
    if spec.kind == "sql":
        return not any(isinstance(v, str) and _UNSTABLE.search(v) for v in spec.parameters.values())
    return False


class Recomputable:
    """Answers for each artifact whether it could be made again, given the artifacts whose files stay."""

    def __init__(self, tx: Connection, artifacts: Iterable[Artifact], stays: frozenset[ArtifactId]) -> None:
        self._runs = {row.id: Run(**row._mapping) for row in tx.execute(select(tables.runs))}
        self._specs = {
            row.hash: Spec(kind=row.kind, parameters=row.parameters) for row in tx.execute(select(tables.specs))
        }
        self._stays = stays
        self._known: dict[ArtifactId, bool] = {}
        self._artifacts = {artifact.id: artifact for artifact in artifacts}
        # Oldest first: what a run read is then known before what it made, however long the chain is.
        for artifact in sorted(self._artifacts.values(), key=lambda artifact: artifact.created):
            self._known[artifact.id] = self._decide(artifact)

    def __contains__(self, id: ArtifactId) -> bool:
        return self._known.get(id, False)

    def _decide(self, artifact: Artifact) -> bool:
        run = self._runs.get(artifact.run or RunId(""))
        if artifact.kind is not ArtifactKind.DATASET or run is None or run.state is not CellState.DONE:
            return False
        spec = self._specs[run.spec]
        file = spec.parameters.get("file")
        reads = [*run.reads.items(), *([("file", file)] if file else [])]
        return repeatable(spec) and all(self._readable(name, id) for name, id in reads)

    def _readable(self, name: str, id: str | None) -> bool:
        # A file outside the store may have changed since.
        if name.startswith("file:"):
            return False
        return id is None or id in self._stays or self._known.get(ArtifactId(id), False)
