"""What came in an archive: runs that nobody here has seen, and artifacts that nobody here has made."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, ForeignKey, PrimaryKeyConstraint, String, false

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "imported_runs",
        Column("run", String(64), ForeignKey("runs.id", name="fk_imported_runs_run"), nullable=False),
        Column("project", String(64), ForeignKey("projects.id", name="fk_imported_runs_project"), nullable=False),
        PrimaryKeyConstraint("run", name="pk_imported_runs"),
    )
    op.add_column("artifacts", Column("claimed", Boolean, nullable=False, server_default=false()))
