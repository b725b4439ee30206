"""The packages that a version of a notebook names."""

from __future__ import annotations

from alembic import op
from sqlalchemy import JSON, Column

revision = "0004"
down_revision = "0003"

DOCUMENT = JSON(none_as_null=True)


def upgrade() -> None:
    op.add_column("versions", Column("packages", DOCUMENT, nullable=False, server_default="{}"))
