"""The first tables. Everything a person causes names that person; a version has a list of parents."""

from __future__ import annotations

from typing import Any

from alembic import op
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    String,
    Text,
    UniqueConstraint,
    text,
)

from trailbook.faults import reach

revision = "0001"
down_revision = None

ID = String(64)
DOCUMENT = JSON(none_as_null=True)
SEQUENCE = BigInteger().with_variant(Integer(), "sqlite")
TIME = DateTime(timezone=True)


def upgrade() -> None:
    _create_persons()
    _create_projects()
    reach("migration.halfway")
    _create_versions()
    _create_runs()
    _create_artifacts()


def _person() -> Column[Any]:
    return Column("person", ID, ForeignKey("persons.id"), nullable=False)


def _version(branch: str = "branch", number: str = "number") -> ForeignKeyConstraint:
    return ForeignKeyConstraint([branch, number], ["versions.branch", "versions.number"])


def _create_unique_index_where(condition: str, name: str, table: str, columns: list[str]) -> None:
    where = text(condition)
    op.create_index(name, table, columns, unique=True, sqlite_where=where, postgresql_where=where)


def _create_persons() -> None:
    op.create_table("stores", Column("id", ID, primary_key=True))
    op.create_table(
        "persons",
        Column("id", ID, primary_key=True),
        Column("name", Text, nullable=False),
        Column("local", Boolean, nullable=False),
    )
    _create_unique_index_where("local", "ix_persons_local", "persons", ["local"])
    op.create_table(
        "tokens",
        Column("hash", ID, primary_key=True),
        _person(),
        Column("label", Text, nullable=False),
        Column("created", TIME, nullable=False),
        Column("revoked", TIME),
    )


def _create_projects() -> None:
    op.create_table(
        "projects",
        Column("id", ID, primary_key=True),
        Column("name", Text, nullable=False),
        _person(),
        Column("created", TIME, nullable=False),
        Column("deleted", TIME),
    )
    op.create_table(
        "branches",
        Column("id", ID, primary_key=True),
        Column("project", ID, ForeignKey("projects.id"), nullable=False),
        Column("name", Text, nullable=False),
        _person(),
        Column("created", TIME, nullable=False),
        UniqueConstraint("project", "name"),
    )


def _create_versions() -> None:
    op.create_table(
        "specs",
        Column("hash", ID, primary_key=True),
        Column("kind", Text, nullable=False),
        Column("parameters", DOCUMENT, nullable=False),
    )
    op.create_table(
        "versions",
        Column("branch", ID, ForeignKey("branches.id"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("cells", DOCUMENT, nullable=False),
        Column("edit", DOCUMENT, nullable=False),
        Column("description", Text, nullable=False),
        _person(),
        Column("time", TIME, nullable=False),
    )
    op.create_table(
        "parents",
        Column("branch", ID, primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("position", Integer, primary_key=True, autoincrement=False),
        Column("parent_branch", ID, nullable=False),
        Column("parent_number", Integer, nullable=False),
        _version(),
        _version("parent_branch", "parent_number"),
    )
    op.create_table(
        "head_moves",
        Column("id", SEQUENCE, primary_key=True),
        Column("branch", ID, nullable=False),
        Column("number", Integer, nullable=False),
        Column("reason", Text, nullable=False),
        _person(),
        Column("time", TIME, nullable=False),
        _version(),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_head_moves_branch_id", "head_moves", ["branch", "id"])


def _create_runs() -> None:
    op.create_table(
        "runs",
        Column("id", ID, primary_key=True),
        Column("cell", ID, nullable=False),
        Column("spec", ID, ForeignKey("specs.hash"), nullable=False),
        Column("environment", ID, nullable=False),
        _person(),
        Column("state", Text, nullable=False),
        Column("started", TIME, nullable=False),
        Column("finished", TIME),
        Column("reads", DOCUMENT, nullable=False),
        Column("writes", DOCUMENT, nullable=False),
        Column("messages", DOCUMENT, nullable=False),
        Column("error", DOCUMENT),
    )
    op.create_index("ix_runs_spec_environment_state", "runs", ["spec", "environment", "state"])
    op.create_index("ix_runs_state", "runs", ["state"])
    op.create_table(
        "results",
        Column("id", SEQUENCE, primary_key=True),
        Column("branch", ID, nullable=False),
        Column("number", Integer, nullable=False),
        Column("cell", ID, nullable=False),
        Column("run", ID, ForeignKey("runs.id"), nullable=False),
        Column("current", Boolean, nullable=False),
        Column("until", TIME),
        _version(),
    )
    _create_unique_index_where("until IS NULL", "ix_results_current", "results", ["branch", "number", "cell"])


def _create_artifacts() -> None:
    op.create_table(
        "artifacts",
        Column("id", ID, primary_key=True),
        Column("kind", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("size", BigInteger, nullable=False),
        Column("media_type", Text, nullable=False),
        Column("columns", DOCUMENT, nullable=False),
        Column("rows", BigInteger),
        Column("run", ID, ForeignKey("runs.id")),
        Column("seconds", Float, nullable=False),
        Column("created", TIME, nullable=False),
        Column("registered", TIME, nullable=False),
    )
    op.create_table(
        "pins",
        Column("artifact", ID, ForeignKey("artifacts.id"), primary_key=True),
        Column("person", ID, ForeignKey("persons.id"), primary_key=True),
        Column("time", TIME, nullable=False),
    )
    op.create_table(
        "uploads",
        Column("id", SEQUENCE, primary_key=True),
        Column("project", ID, ForeignKey("projects.id"), nullable=False),
        Column("name", Text, nullable=False),
        Column("artifact", ID, ForeignKey("artifacts.id"), nullable=False),
        Column("size", BigInteger, nullable=False),
        _person(),
        Column("time", TIME, nullable=False),
    )
    op.create_index("ix_uploads_project", "uploads", ["project"])
