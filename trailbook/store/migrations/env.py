"""Run by Alembic: migrates inside the transaction that the caller has open."""

from __future__ import annotations

from alembic import context

from trailbook.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    # For its rules of naming constraints.
    target_metadata=metadata,
    transactional_ddl=True,
)
context.run_migrations()
