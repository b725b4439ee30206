"""The tables of the metadata database, as the newest migration leaves them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)

REVISION = "0008"
"""The newest migration."""


class Time(TypeDecorator[datetime]):
    """A moment: stored as UTC, comes back aware."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError(f"{value} has no time zone, so it is no moment.")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


ID = String(64)
# JSON rather than JSONB: cell text may contain NUL, which JSONB refuses.
DOCUMENT = JSON(none_as_null=True)
# SQLite numbers rows by itself only where the key is exactly INTEGER.
SEQUENCE = BigInteger().with_variant(Integer(), "sqlite")

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _person() -> Column[Any]:
    return Column("person", ID, ForeignKey("persons.id"), nullable=False)


def _version(branch: str = "branch", number: str = "number") -> ForeignKeyConstraint:
    return ForeignKeyConstraint([branch, number], ["versions.branch", "versions.number"])


stores = Table("stores", metadata, Column("id", ID, primary_key=True))

persons = Table(
    "persons",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("local", Boolean, nullable=False),
    Index("ix_persons_local", "local", unique=True, sqlite_where=text("local"), postgresql_where=text("local")),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", ID, primary_key=True),
    _person(),
    Column("label", Text, nullable=False),
    Column("created", Time, nullable=False),
    Column("revoked", Time),
)

projects = Table(
    "projects",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False),
    _person(),
    Column("created", Time, nullable=False),
    Column("deleted", Time),
)

branches = Table(
    "branches",
    metadata,
    Column("id", ID, primary_key=True),
    Column("project", ID, ForeignKey("projects.id"), nullable=False),
    Column("name", Text, nullable=False),
    _person(),
    Column("created", Time, nullable=False),
    UniqueConstraint("project", "name"),
)

specs = Table(
    "specs",
    metadata,
    Column("hash", ID, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("parameters", DOCUMENT, nullable=False),
    Column("acknowledged", DOCUMENT, nullable=False, server_default="[]"),
)

versions = Table(
    "versions",
    metadata,
    Column("branch", ID, ForeignKey("branches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("cells", DOCUMENT, nullable=False),
    Column("packages", DOCUMENT, nullable=False, server_default="{}"),
    Column("edit", DOCUMENT, nullable=False),
    Column("description", Text, nullable=False),
    _person(),
    Column("time", Time, nullable=False),
)

parents = Table(
    "parents",
    metadata,
    Column("branch", ID, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("parent_branch", ID, nullable=False),
    Column("parent_number", Integer, nullable=False),
    _version(),
    _version("parent_branch", "parent_number"),
)

head_moves = Table(
    "head_moves",
    metadata,
    Column("id", SEQUENCE, primary_key=True),
    Column("branch", ID, nullable=False),
    Column("number", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    _person(),
    Column("time", Time, nullable=False),
    _version(),
    Index(None, "branch", "id"),
    sqlite_autoincrement=True,
)

runs = Table(
    "runs",
    metadata,
    Column("id", ID, primary_key=True),
    Column("cell", ID, nullable=False),
    Column("spec", ID, ForeignKey("specs.hash"), nullable=False),
    # Where it was started, to go on there after a crash; none for what came in a file.
    Column("branch", ID),
    Column("environment", ID, nullable=False),
    _person(),
    Column("state", Text, nullable=False),
    Column("started", Time, nullable=False),
    Column("finished", Time),
    Column("reads", DOCUMENT, nullable=False),
    Column("writes", DOCUMENT, nullable=False),
    Column("deletes", DOCUMENT, nullable=False, server_default="[]"),
    Column("messages", DOCUMENT, nullable=False),
    Column("error", DOCUMENT),
    Column("outside", DOCUMENT, nullable=False, server_default="{}"),
    Index(None, "spec", "environment", "state"),
    Index(None, "state"),
)

imported_runs = Table(
    "imported_runs",
    metadata,
    Column("run", ID, ForeignKey("runs.id"), primary_key=True),
    # The project that it came with. Nobody here has seen it, so it stands for no run of another one.
    Column("project", ID, ForeignKey("projects.id"), nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("id", SEQUENCE, primary_key=True),
    Column("branch", ID, nullable=False),
    Column("number", Integer, nullable=False),
    Column("cell", ID, nullable=False),
    Column("run", ID, ForeignKey("runs.id"), nullable=False),
    # Not any more once the cell, or what it reads, has changed; then it is only shown until there is a new one.
    Column("current", Boolean, nullable=False),
    # When it stopped being the cell's result: gc's grace period counts from here.
    Column("until", Time),
    _version(),
    Index(
        "ix_results_current",
        "branch",
        "number",
        "cell",
        unique=True,
        sqlite_where=text("until IS NULL"),
        postgresql_where=text("until IS NULL"),
    ),
)

artifacts = Table(
    "artifacts",
    metadata,
    Column("id", ID, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("media_type", Text, nullable=False),
    Column("columns", DOCUMENT, nullable=False),
    Column("rows", BigInteger),
    Column("doubt", DOCUMENT, nullable=False, server_default="{}"),
    Column("data", ID),
    # A small value itself, for which a file would be more trouble than it is worth.
    Column("content", LargeBinary),
    Column("about", DOCUMENT, nullable=False, server_default="{}"),
    Column("run", ID, ForeignKey("runs.id")),
    Column("seconds", Float, nullable=False),
    Column("created", Time, nullable=False),
    # The last time somebody made this content: gc's grace period counts from here.
    Column("registered", Time, nullable=False),
    # An archive says so, and nobody here has made it yet; whoever does knows better.
    Column("claimed", Boolean, nullable=False, server_default=false()),
)

pins = Table(
    "pins",
    metadata,
    Column("artifact", ID, ForeignKey("artifacts.id"), primary_key=True),
    Column("person", ID, ForeignKey("persons.id"), primary_key=True),
    Column("time", Time, nullable=False),
)

uploads = Table(
    "uploads",
    metadata,
    Column("id", SEQUENCE, primary_key=True),
    Column("project", ID, ForeignKey("projects.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("artifact", ID, ForeignKey("artifacts.id"), nullable=False),
    Column("size", BigInteger, nullable=False),
    _person(),
    Column("time", Time, nullable=False),
    Index(None, "project"),
)

publications = Table(
    "publications",
    metadata,
    Column("name", Text, primary_key=True),
    Column("edition", Integer, primary_key=True, autoincrement=False),
    Column("artifact", ID, ForeignKey("artifacts.id"), nullable=False),
    Column("project", ID, ForeignKey("projects.id"), nullable=False),
    Column("branch", ID, nullable=False),
    Column("number", Integer, nullable=False),
    Column("cell", ID, nullable=False),
    Column("dataset", Text, nullable=False),
    _person(),
    Column("time", Time, nullable=False),
    Column("withdrawn", Time),
    _version(),
)
