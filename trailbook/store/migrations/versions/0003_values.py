"""Values of Python cells, and names that cells delete."""

from __future__ import annotations

from alembic import op
from sqlalchemy import JSON, Column, LargeBinary

revision = "0003"
down_revision = "0002"

DOCUMENT = JSON(none_as_null=True)


def upgrade() -> None:
    op.add_column("artifacts", Column("content", LargeBinary))
    op.add_column("artifacts", Column("about", DOCUMENT))
    op.add_column("runs", Column("deletes", DOCUMENT, nullable=False, server_default="[]"))
