"""The names that a cell can read, and those that it did read."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.errors import UnavailableValue, UnknownDataset
from trailbook.kernels.child.frames.dataset import Dataset
from trailbook.kernels.child.values.about import label

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from trailbook.kernels.child.values.packed import MakePickler, MakeUnpickler


STATE = "@"
"""With this begins what is no name of the code's, but the state of a library."""


ALL_NAMES = "names:"
"""As in trailbook.model.runs, which would be slow to import here."""


@dataclass(frozen=True)
class Packet:
    """A value of the cells above, packed: the path of a file, or its content. It may hold several names."""

    id: str
    source: str | bytes


class Scope:
    """What names mean: datasets and values of the cells above, and over them the datasets this cell saved."""

    def __init__(
        self,
        names: dict[str, dict[str, Any]],
        session: Callable[[], SparkSession],
        on_read: Callable[[str], None],
        ask: Callable[[str], dict[str, Any] | None],
        make_pickler: MakePickler,
        make_unpickler: MakeUnpickler,
    ) -> None:
        self.directories: dict[str, str] = {}
        self.packets: dict[str, Packet] = {}
        self.unavailable: dict[str, str] = {}
        self.pending: set[str] = set()
        self.has_waited = False
        """Whether names may mean by now what they did not at the start."""
        self._session = session
        self._on_read = on_read
        self._ask = ask
        self.make_pickler = make_pickler
        self.make_unpickler = make_unpickler
        self._datasets: dict[str, Dataset] = {}
        self._reads: set[str] = set()
        self._looked_up: set[str] = set()
        self._saved: set[str] = set()
        self.dropped: set[str] = set()
        """Names that this cell took away."""
        for name, given in names.items():
            self._file(name, given)

    def __contains__(self, name: object) -> bool:
        """Whether there is something of that name, even if it can't be read."""
        if name in self.pending:
            self.resolve(str(name))
        return name in self.directories or name in self.packets or name in self.unavailable

    def __iter__(self) -> Iterator[str]:
        """The names of datasets."""
        return iter(sorted(self.directories))

    @property
    def names(self) -> list[str]:
        """All names that are known or expected."""
        known = {*self.directories, *self.packets, *self.unavailable, *self.pending}
        return sorted(name for name in known if not name.startswith(STATE))

    def every_name(self) -> list[str]:
        """The same for code that looks which names there are, which is a read of its own."""
        self.record_read(ALL_NAMES)
        return self.names

    @property
    def names_read(self) -> list[str]:
        """The names of the cells above that were read and are there, or were."""
        known = {*self.names, *self._saved, *self.dropped}
        return sorted(name for name in self._reads & known if name not in self.pending)

    def record_read(self, name: str) -> None:
        self._looked_up.add(name)
        if name not in self._reads and name not in self._saved and name not in self.dropped:
            self._reads.add(name)
            self._on_read(name)

    def resolve(self, name: str) -> None:
        """Wait for the cell above that may write the name."""
        self.record_read(name)
        self._settle(name)

    def has_state(self, name: str) -> bool:
        """Whether a cell above changed the state of that name. That is no read by itself."""
        if name in self.pending:
            self._settle(name)
        return name in self.packets

    def ask_again(self, name: str) -> None:
        """What a name means by now, after the cell has waited for one above."""
        for known in (self.packets, self.unavailable):
            known.pop(name, None)
        self._settle(name)

    def _settle(self, name: str) -> None:
        given = self._ask(name)
        self.has_waited = True
        self.pending.discard(name)
        if given is not None:
            self._file(name, given)

    def dataset(self, name: str) -> Dataset:
        """The dataset of that name. The read is recorded, also if there is none."""
        self.record_read(name)
        if name in self.pending:
            self.resolve(name)
        if name in self.directories:
            if name not in self._datasets:
                codec = (self.make_pickler, self.make_unpickler)
                self._datasets[name] = Dataset(name, self.directories[name], self._session, *codec)
            return self._datasets[name]
        self.check_available(name)
        what = (
            f"{name} is not a dataset but a Python value" if name in self.packets else f"There is no dataset {name!r}"
        )
        raise UnknownDataset(f"{what} above this cell. {self.known(name)}")

    def check_available(self, name: str) -> None:
        if name in self.unavailable:
            raise UnavailableValue(f"{label(name)} can't be read: {self.unavailable[name]}")

    def known(self, name: str) -> str:
        """What could have been meant, closest first."""
        from difflib import get_close_matches

        self.every_name()

        if not self.directories:
            return "There are none yet."
        close = get_close_matches(name, self.directories, n=1, cutoff=0.5)
        others = [other for other in self if other not in close]
        suggestion = f"Did you mean {close[0]!r}? " if close else ""
        return f"{suggestion}Known: {', '.join([*close, *others])}."

    def saved(self, name: str, directory: str) -> None:
        """From now on the name means what this cell saved."""
        self._forget(name)
        self.directories[name] = directory
        self._saved.add(name)
        self.dropped.discard(name)

    def drop(self, name: str) -> None:
        """From now on the name means nothing."""
        self._forget(name)
        self._saved.discard(name)
        self.dropped.add(name)

    def rename(self, old: str, new: str) -> None:
        """Let a dataset go by another name, which nobody has looked up yet."""
        self.saved(new, self.directories[old])
        self._looked_up.discard(new)
        self.drop(old)

    def has_looked_up(self, name: str) -> bool:
        return name in self._looked_up

    def is_saved(self, name: str) -> bool:
        return name in self._saved

    def looked_at(self, name: str) -> Dataset | None:
        """The dataset that a name means, if this cell looked at it."""
        return self._datasets.get(name)

    def _forget(self, name: str) -> None:
        for names in (self.directories, self.packets, self.unavailable, self._datasets):
            names.pop(name, None)
        self.pending.discard(name)

    def _file(self, name: str, given: dict[str, Any]) -> None:
        match given["kind"]:
            case "dataset":
                self.directories[name] = given["path"]
            case "value":
                content = base64.b64decode(given["content"]) if "content" in given else None
                self.packets[name] = Packet(given["id"], given["path"] if content is None else content)
            case "unavailable":
                self.unavailable[name] = given["reason"]
            case "pending":
                self.pending.add(name)
