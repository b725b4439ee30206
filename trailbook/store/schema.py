"""Bringing the database's tables up to date."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from trailbook.errors import StoreError
from trailbook.faults import reach
from trailbook.store.tables import REVISION, metadata


def revision(tx: Connection) -> str | None:
    """The migration that the database was brought to; None for an empty one."""
    if not inspect(tx).has_table("alembic_version"):
        return None
    return tx.execute(text("SELECT version_num FROM alembic_version")).scalar()


def migrate(tx: Connection) -> None:
    """Have the tables as this code needs them, all in this transaction."""
    current = revision(tx)
    if current is None:
        _create(tx)
    elif current != REVISION:
        upgrade(tx)


def _create(tx: Connection) -> None:
    """Make the tables as the migrations would leave them: Alembic takes longer to load than all else together."""
    metadata.create_all(tx, checkfirst=False)
    reach("migration.halfway")
    tx.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    tx.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": REVISION})


def upgrade(tx: Connection) -> None:
    """Run the migrations that are missing."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": tx})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    known = {None, *(script.revision for script in ScriptDirectory.from_config(config).walk_revisions())}
    if (current := revision(tx)) not in known:
        raise StoreError(
            f"The database was written by a newer Trailbook (revision {current}); this one knows up to {REVISION}. "
            "Start that version, or use another data directory."
        )
    command.upgrade(config, "head")


def require_current(tx: Connection) -> None:
    """Refuse a database that this code would have to migrate first."""
    current = revision(tx)
    if current != REVISION:
        raise StoreError(
            f"The database is at revision {current}, this Trailbook needs {REVISION}. Start `trailbook serve` once."
        )
