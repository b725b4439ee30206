"""What was read from the database and never changes, kept so that it is read once.

Only what a snapshot found is kept: what a writing transaction sees may never be committed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping
from typing import TypeVar

from sqlalchemy import Connection

from trailbook.model.base import Value

MOST_BYTES = 64 * 1024 * 1024
MEMORY, IS_SNAPSHOT = "memory", "is_snapshot"
"""Execution options of connections: the memory of their store, and whether it may learn from them."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V", bound=Value)


class Memory:
    """Values by their keys; those that nobody asked for lately are forgotten if there is no more room."""

    def __init__(self, room: int = MOST_BYTES) -> None:
        self._lock = threading.Lock()
        self._room = room
        self._kept: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()

    def recall(self, key: Hashable) -> Value | None:
        with self._lock:
            found = self._kept.get(key)
            if found:
                self._kept.move_to_end(key)
            return found[0] if found else None

    def keep(self, key: Hashable, value: Value) -> None:
        size = len(value.model_dump_json())
        with self._lock:
            self._room += self._kept.pop(key, (value, 0))[1] - size
            self._kept[key] = (value, size)
            while self._room < 0:
                _, (_, freed) = self._kept.popitem(last=False)
                self._room += freed


def remembered(
    tx: Connection,
    type: type[V],
    keys: Collection[K],
    load: Callable[[list[K]], Mapping[K, V]],
    lasts: Callable[[V], bool] = lambda value: True,
) -> dict[K, V]:
    """The values of these keys, of which `load` reads those that are not known yet. Kept is what `lasts`."""
    options = tx.get_execution_options()
    memory: Memory | None = options.get(MEMORY)
    recalled = {key: memory.recall((type, key)) for key in keys} if memory else {}
    known = {key: value for key, value in recalled.items() if isinstance(value, type)}
    unknown = [key for key in keys if key not in known]
    loaded = load(unknown) if unknown else {}
    for key, value in loaded.items():
        if memory and options.get(IS_SNAPSHOT) and lasts(value):
            memory.keep((type, key), value)
    return {**known, **loaded}
