"""What is in doubt of each dataset, and which caveats of each cell are acknowledged."""

from __future__ import annotations

from alembic import op
from sqlalchemy import JSON, Column, String

revision = "0002"
down_revision = "0001"

DOCUMENT = JSON(none_as_null=True)


def upgrade() -> None:
    op.add_column("artifacts", Column("doubt", DOCUMENT, nullable=False, server_default="{}"))
    op.add_column("artifacts", Column("data", String(64)))
    op.add_column("specs", Column("acknowledged", DOCUMENT, nullable=False, server_default="[]"))
