"""Datasets that were published, edition by edition."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select, update
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
    """An edition that was not withdrawn; 0 is the newest."""
    all = editions(tx, name)
    offered = [one for one in all if not one.withdrawn]
    if not offered:
        raise NotFound(f"All that was published as {name} was withdrawn.", what="publication", id=name)
    found = next((one for one in offered if edition in (0, one.edition)), None)
    if found is None:
        was_there = any(one.edition == edition for one in all)
        problem = (
            f"Edition {edition} of {name} was withdrawn" if was_there else f"There is no edition {edition} of {name}"
        )
        raise NotFound(f"{problem}: the last one is {offered[0].edition}.", what="edition", id=edition)
    return found


def set_withdrawn(tx: Connection, name: str, edition: int, time: datetime | None) -> Publication:
    """From now on nobody is offered the edition, or with no time everybody again."""
    same = (_publications.c.name == name) & (_publications.c.edition == edition)
    tx.execute(update(_publications).where(same).values(withdrawn=time))
    found = find(tx, name, edition)
    if found is None:
        raise NotFound(f"There is no edition {edition} of {name}.", what="edition", id=edition)
    return found


def newest(tx: Connection) -> list[Publication]:
    """The last edition under each name that was not withdrawn."""
    offered = select(_publications.c.name, func.max(_publications.c.edition).label("edition"))
    last = offered.where(_publications.c.withdrawn.is_(None)).group_by("name").subquery()
    same = (_publications.c.name == last.c.name) & (_publications.c.edition == last.c.edition)
    query = select(_publications).join(last, same).order_by(_publications.c.name)
    return [_publication(row) for row in tx.execute(query)]


def editions(tx: Connection, name: str) -> list[Publication]:
    """Newest first, also those that were withdrawn."""
    query = select(_publications).where(_publications.c.name == name).order_by(_publications.c.edition.desc())
    found = [_publication(row) for row in tx.execute(query)]
    if not found:
        known = ", ".join(one.name for one in newest(tx)) or "none yet"
        raise NotFound(f"Nothing is published as {name}. Known: {known}.", what="publication", id=name)
    return found


def _publication(row: Row[Any]) -> Publication:
    found = dict(row._mapping)
    return Publication(made=VersionRef(branch=found.pop("branch"), number=found.pop("number")), **found)
