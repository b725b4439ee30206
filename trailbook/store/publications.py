"""Datasets that were published, edition by edition."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, func, select
from sqlalchemy import insert as insert_into

from trailbook.errors import NotFound
from trailbook.model.notebook import VersionRef
from trailbook.model.publications import Publication
from trailbook.store.tables import publications as _publications


def last_edition(tx: Connection, name: str) -> int:
    """0 if nothing was published under that name."""
    query = select(func.max(_publications.c.edition)).where(_publications.c.name == name)
    return tx.execute(query).scalar_one() or 0


def add(tx: Connection, publication: Publication) -> None:
    given = publication.model_dump(exclude={"made"})
    tx.execute(insert_into(_publications).values(**given, **publication.made.model_dump()))


def find(tx: Connection, name: str, edition: int) -> Publication | None:
    query = select(_publications).where(_publications.c.name == name, _publications.c.edition == edition)
    row = tx.execute(query).one_or_none()
    return _publication(row) if row else None


def get(tx: Connection, name: str, edition: int) -> Publication:
    """An edition; 0 is the newest."""
    if edition and (found := find(tx, name, edition)):
        return found
    last = editions(tx, name)[0]
    if not edition:
        return last
    raise NotFound(
        f"There is no edition {edition} of {name}: the last one is {last.edition}.", what="edition", id=edition
    )


def newest(tx: Connection) -> list[Publication]:
    """The last edition under each name."""
    last = select(_publications.c.name, func.max(_publications.c.edition).label("edition")).group_by("name").subquery()
    same = (_publications.c.name == last.c.name) & (_publications.c.edition == last.c.edition)
    query = select(_publications).join(last, same).order_by(_publications.c.name)
    return [_publication(row) for row in tx.execute(query)]


def editions(tx: Connection, name: str) -> list[Publication]:
    """Newest first."""
    query = select(_publications).where(_publications.c.name == name).order_by(_publications.c.edition.desc())
    found = [_publication(row) for row in tx.execute(query)]
    if not found:
        known = ", ".join(one.name for one in newest(tx)) or "none yet"
        raise NotFound(f"Nothing is published as {name}. Known: {known}.", what="publication", id=name)
    return found


def _publication(row: Row[Any]) -> Publication:
    found = dict(row._mapping)
    return Publication(made=VersionRef(branch=found.pop("branch"), number=found.pop("number")), **found)
