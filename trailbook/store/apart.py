"""Datasets that strangers wrote, read for the first time by a process of its own.

A footer may say anything, and what reads it trusts it: some lies end the process that believes them, others have it ask
for more memory than there is. What is read there without harm can be read by the server later.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from trailbook.model.artifacts import Column, Doubt
from trailbook.model.base import Digest, Value

DESCRIBING = "trailbook.store.describing"


class Facts(Value):
    """What the files of a dataset tell."""

    size: int
    columns: tuple[Column, ...]
    rows: int
    doubt: Doubt
    data: Digest


class Told(Value):
    """What was found of one dataset: facts, or the problem with it."""

    facts: Facts | None = None
    problem: str = ""


def described_apart(directories: Sequence[Path]) -> list[Told]:
    """What is to be told of each."""
    if not directories:
        return []
    command = [sys.executable, "-P", "-m", DESCRIBING]
    listed = json.dumps([str(directory) for directory in directories])
    done = subprocess.run(command, input=listed, capture_output=True, text=True, check=False)
    told = [Told.model_validate_json(line) for line in done.stdout.splitlines()]
    return told + [Told(problem="it ends the process that reads it")] * (len(directories) - len(told))
