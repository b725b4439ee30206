"""The branch that a run was started in."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, String

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("runs", Column("branch", String(64)))
