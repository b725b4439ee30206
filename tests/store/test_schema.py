"""Migrations."""

from __future__ import annotations

import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from trailbook.errors import StoreError
from trailbook.settings import Settings
from trailbook.store.database import database_url, engines
from trailbook.store.schema import revision, upgrade
from trailbook.store.store import Store
from trailbook.store.tables import REVISION, metadata


def test_the_migrations_make_the_tables_that_the_code_uses(settings: Settings) -> None:
    settings.data.mkdir(parents=True, exist_ok=True)
    with engines(database_url(settings)).writer.begin() as tx:
        upgrade(tx)
        assert revision(tx) == REVISION
        context = MigrationContext.configure(tx, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_the_newest_migration_is_the_one_that_the_code_expects() -> None:
    config = Config()
    config.set_main_option("script_location", "trailbook.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [REVISION]


def test_a_database_newer_than_the_code_is_refused_and_left_alone(settings: Settings) -> None:
    store = Store.open(settings)
    with store.writing() as tx:
        tx.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    for open_ in (Store.open, Store.visit):
        with pytest.raises(StoreError, match="9999"):
            open_(settings)


def test_a_new_store_has_the_tables_of_the_newest_migration(store: Store) -> None:
    with store.writing() as tx:
        upgrade(tx)
        assert revision(tx) == REVISION


def test_a_start_with_nothing_to_migrate_loads_neither_alembic_nor_arrow(sqlite_settings: Settings) -> None:
    script = (
        "import sys; from pathlib import Path; from trailbook.settings import Settings;"
        "from trailbook.store.store import Store; import trailbook.store.gc, trailbook.store.doctor;"
        "[Store.open(Settings(data=Path(sys.argv[1]))).close() for _ in range(2)];"
        "print({'alembic', 'pyarrow', 'pandas', 'psycopg'} & set(sys.modules))"
    )
    command = [sys.executable, "-c", script, str(sqlite_settings.data)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "set()\n"


def test_everything_a_person_causes_names_that_person() -> None:
    caused = {"tokens", "projects", "branches", "versions", "head_moves", "runs", "pins", "uploads"}
    for table in caused:
        keys = metadata.tables[table].c.person.foreign_keys
        assert [key.target_fullname for key in keys] == ["persons.id"]
        assert not metadata.tables[table].c.person.nullable
