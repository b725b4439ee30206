"""Datasets that other projects may read."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, DateTime, ForeignKey, ForeignKeyConstraint, Integer, PrimaryKeyConstraint, String, Text

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "publications",
        Column("name", Text, nullable=False),
        Column("edition", Integer, nullable=False, autoincrement=False),
        Column("artifact", String(64), ForeignKey("artifacts.id", name="fk_publications_artifact"), nullable=False),
        Column("project", String(64), ForeignKey("projects.id", name="fk_publications_project"), nullable=False),
        Column("branch", String(64), nullable=False),
        Column("number", Integer, nullable=False),
        Column("cell", String(64), nullable=False),
        Column("dataset", Text, nullable=False),
        Column("person", String(64), ForeignKey("persons.id", name="fk_publications_person"), nullable=False),
        Column("time", DateTime(timezone=True), nullable=False),
        PrimaryKeyConstraint("name", "edition", name="pk_publications"),
        ForeignKeyConstraint(
            ["branch", "number"], ["versions.branch", "versions.number"], name="fk_publications_branch_number"
        ),
    )
