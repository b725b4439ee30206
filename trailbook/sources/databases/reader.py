"""The process that reads a database: it is told what on its input, and tells how far it is on its output."""

from __future__ import annotations

import json
import resource
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa

from trailbook.errors import NotFetched, TooLarge, TrailbookError
from trailbook.model.base import Value
from trailbook.settings import GIB
from trailbook.sources.databases import postgres, sqlite
from trailbook.sources.databases.answer import FEW, Answer, write
from trailbook.sources.databases.connections import Connection, System
from trailbook.sources.databases.stopping import Stopping

MEMORY = 2 * GIB


class Order(Value):
    """What is to be read from where, and written as files of the `folder`. The URL is a secret.

    Of SQLite, `file` is where it is, without links.
    """

    url: str
    file: str = ""
    is_owners: bool
    allow_private: bool
    select: str
    folder: str
    most_bytes: int


def main() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    order = Order.model_validate_json(sys.stdin.readline())
    stopping = Stopping()
    try:
        with _asked(order, stopping) as answer:
            written = write(answer, Path(order.folder), order.most_bytes, lambda rows: _tell({"rows": rows}))
    except TrailbookError as error:
        _tell({"refused": error.message, "code": error.code})
    except (MemoryError, pa.ArrowMemoryError):
        _tell({"refused": f"its rows are so long that {MEMORY // GIB} GiB don't hold {FEW}.", "code": TooLarge.code})
    except Exception as error:
        # A value that its driver can't read, or a file that is no database.
        _tell({"refused": f"{type(error).__name__}: {error}.", "code": NotFetched.code})
    else:
        columns = [
            [column.name, column.type, f"t{number}" if number in written.texts else ""]
            for number, column in enumerate(written.columns)
        ]
        _tell({"rows": written.rows, "columns": columns, "changed_names": written.changed_names})


def _asked(order: Order, stopping: Stopping) -> AbstractContextManager[Answer]:
    connection = Connection("", order.url, order.is_owners)
    if connection.system is System.SQLITE:
        return sqlite.asked(Path(order.file), order.select)
    return postgres.asked(connection, order.select, allow_private=order.allow_private, stopping=stopping)


def _tell(told: dict[str, Any]) -> None:
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
