"""Run as a process of its own, and killed at a fault point: imports an archive."""

from __future__ import annotations

import sys
from pathlib import Path

from trailbook.formats.archive.entries import Limits
from trailbook.formats.archive.importing import import_archive
from trailbook.settings import Settings
from trailbook.store import persons
from trailbook.store.store import Store

settings = Settings(data=Path(sys.argv[1]))
store = Store.open(settings)
with store.writing() as tx:
    person = persons.local_person(tx, "Ada")
with open(sys.argv[2], "rb") as file:
    import_archive(store, file, Limits.of(settings), person.id)
