"""What the names of a cell stand for: given before it runs, made by it."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailbook.store.remarks import NOTHING_SAID, Remarks


@dataclass(frozen=True)
class GivenDataset:
    """A directory of Parquet part files, read in the order of their names."""

    id: str
    path: Path

    def message(self) -> dict[str, Any]:
        return {"kind": "dataset", "id": self.id, "path": str(self.path)}


@dataclass(frozen=True)
class GivenValue:
    """A packed value, in a file or as its content. Names with the same id share objects."""

    id: str
    source: Path | bytes

    def message(self) -> dict[str, Any]:
        if isinstance(self.source, bytes):
            return {"kind": "value", "id": self.id, "content": base64.b64encode(self.source).decode()}
        return {"kind": "value", "id": self.id, "path": str(self.source)}


@dataclass(frozen=True)
class GivenUnavailable:
    """A name that can't be read: its cell failed, or made something that can't be kept."""

    reason: str

    def message(self) -> dict[str, Any]:
        return {"kind": "unavailable", "reason": self.reason}


@dataclass(frozen=True)
class GivenPending:
    """A name that a running cell above may still write; the run asks when it is looked up."""

    def message(self) -> dict[str, Any]:
        return {"kind": "pending"}


Given = GivenDataset | GivenValue | GivenUnavailable | GivenPending


@dataclass(frozen=True)
class Wanted:
    """Data from elsewhere that a cell wants as a dataset, and how it is to be read."""

    name: str
    url: str
    format: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class About:
    """A value in short, for people."""

    type: str
    text: str
    size: int


@dataclass(frozen=True)
class MadeDataset:
    """A directory of Parquet files of which the host may dispose, and what the code said of it."""

    path: Path
    remarks: Remarks = NOTHING_SAID


@dataclass(frozen=True)
class MadeRenamed:
    """A dataset of the cells above under another name. If the code has not `looked` at it, it has but moved it."""

    of: str
    looked: bool


@dataclass(frozen=True)
class MadeValue:
    """A packed value, in a file under `scratch` or as its content. Names that share objects have the same source."""

    source: Path | bytes
    about: About


@dataclass(frozen=True)
class MadeUnavailable:
    """Something that can't be kept, and why."""

    reason: str
    about: About


Made = MadeDataset | MadeRenamed | MadeValue | MadeUnavailable
