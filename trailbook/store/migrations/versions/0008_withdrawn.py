"""When an edition of a published dataset was withdrawn."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, DateTime

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("publications", Column("withdrawn", DateTime(timezone=True)))
