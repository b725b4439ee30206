"""A refusal names the offender, and leaves a store as it was."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select

from tests.formats.archive.rivers import imported
from tests.store.notebook import Notebook
from trailbook.errors import BadArchive, TrailbookError
from trailbook.store import tables
from trailbook.store.store import Store


def holdings(store: Store) -> list[Any]:
    """How many rows there are of everything, and what files."""
    counted = (select(func.count()).select_from(table) for table in tables.metadata.sorted_tables)
    with store.reading() as tx:
        counts = [tx.execute(query).scalar() for query in counted]
    folders = (store.files.staging, store.files.staging.parent / "artifacts")
    return [counts, *(sorted(map(str, folder.rglob("*"))) for folder in folders)]


def refuse(target: Notebook, content: bytes, expected: str, error: type[TrailbookError] = BadArchive) -> None:
    """The content is no archive that could be imported, and the error says what is expected."""
    before = holdings(target.store)
    with pytest.raises(error) as raised:
        imported(target.store, content, target.person)
    assert expected in raised.value.message
    assert holdings(target.store) == before
