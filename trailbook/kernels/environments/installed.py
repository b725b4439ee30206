"""The packages that Trailbook itself runs with, which every environment sees behind its own."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from functools import cache

_RECORD = re.compile(r"(?P<name>[^-]+)-(?P<version>[^-]+).*\.(dist|egg)-info")


def package_folders() -> list[str]:
    """Where packages are installed, in the order in which they are looked for."""
    return [folder for folder in dict.fromkeys(sys.path) if folder.endswith("-packages") and os.path.isdir(folder)]


@cache
def installed() -> Mapping[str, str]:
    """The version of each package by its name, from the names of the folders with their records.

    Their contents say the same, and to read them takes two hundred times as long.
    """
    found: dict[str, str] = {}
    for folder in package_folders():
        for entry in sorted(os.listdir(folder)):
            if record := _RECORD.fullmatch(entry):
                found.setdefault(canonical(record["name"]), record["version"])
    return found


def canonical(name: str) -> str:
    """
    >>> canonical("Scikit_Learn")
    'scikit-learn'
    """
    return re.sub(r"[-_.]+", "-", name).lower()
