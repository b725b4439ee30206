"""Values of Python cells, names that cells delete, and what they do to the outside."""

from __future__ import annotations

from alembic import op
from sqlalchemy import JSON, Column, LargeBinary

revision = "0003"
down_revision = "0002"

DOCUMENT = JSON(none_as_null=True)


def upgrade() -> None:
    op.add_column("artifacts", Column("content", LargeBinary))
    op.add_column("artifacts", Column("about", DOCUMENT, nullable=False, server_default="{}"))
    op.add_column("runs", Column("outside", DOCUMENT, nullable=False, server_default="{}"))
    op.add_column("runs", Column("deletes", DOCUMENT, nullable=False, server_default="[]"))
