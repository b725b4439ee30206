"""Files that are not the store's, and variables of the environment: what they hold now, and whether they changed."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from functools import lru_cache
from typing import NamedTuple

from trailbook.model.runs import FILE_READ, VARIABLE_READ

FOLDER = "folder"
"""In place of a digest for a path that ends in a slash, which asks only whether there is such a folder."""
CLOCK_SECONDS = 3.0
"""A file that changed less than this ago may change again without a sign: file systems' clocks are coarse."""


class Signs(NamedTuple):
    """What can't all stay the same when a file is changed or another one takes its place."""

    mode: int
    device: int
    inode: int
    size: int
    modified: int
    status_changed: int


def signs_of(path: str) -> Signs | None:
    """None if there is nothing."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return Signs(found.st_mode, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def outside_digest(name: str) -> str | None:
    """Of what a run read by that name, as it is now."""
    if name.startswith(VARIABLE_READ):
        return variable_digest(name.removeprefix(VARIABLE_READ))
    return file_digest(name.removeprefix(FILE_READ))


def variable_digest(name: str) -> str | None:
    """SHA-256 of what the variable holds, which may be a secret."""
    held = os.environ.get(name)
    return None if held is None else hashlib.sha256(os.fsencode(held)).hexdigest()


def file_digest(path: str) -> str | None:
    """SHA-256 of a file's bytes, or of the names in a directory, as they are now; None if there are none to read."""
    try:
        found = os.stat(path)
        if path.endswith("/"):
            return FOLDER
        if stat.S_ISDIR(found.st_mode):
            return hashlib.sha256(json.dumps(sorted(os.listdir(path))).encode()).hexdigest()
        if not stat.S_ISREG(found.st_mode):
            return None
        if time.time() - max(found.st_mtime, found.st_ctime) < CLOCK_SECONDS:
            return _digest(path)
        return _remembered(path, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=1024)
def _remembered(path: str, *_signs_of_change: int) -> str:
    return _digest(path)


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
