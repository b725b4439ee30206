"""The names that a cell can read, and those that it did read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from trailbook.kernels.child.dataset import Dataset
from trailbook.kernels.child.errors import UnavailableDataset, UnknownDataset

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession


class Scope:
    """Datasets by name: those of the cells above, and over them those this cell saved."""

    def __init__(
        self,
        directories: dict[str, str],
        unavailable: dict[str, str],
        session: Callable[[], SparkSession],
        on_read: Callable[[str], None],
    ) -> None:
        self.directories = directories
        self.unavailable = unavailable
        self._session = session
        self._on_read = on_read
        self._datasets: dict[str, Dataset] = {}
        self._reads: set[str] = set()
        self._saved: set[str] = set()

    def __contains__(self, name: object) -> bool:
        return name in self.directories or name in self.unavailable

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.directories))

    def record_read(self, name: str) -> None:
        if name not in self._reads and name not in self._saved:
            self._reads.add(name)
            self._on_read(name)

    def dataset(self, name: str) -> Dataset:
        """The dataset of that name. The read is recorded, also if there is none."""
        self.record_read(name)
        if name in self.directories:
            if name not in self._datasets:
                self._datasets[name] = Dataset(name, self.directories[name], self._session)
            return self._datasets[name]
        self.check_available(name)
        raise UnknownDataset(f"There is no dataset {name!r} above this cell. {self.known(name)}")

    def check_available(self, name: str) -> None:
        if name in self.unavailable:
            raise UnavailableDataset(f"{name} can't be read: {self.unavailable[name]}")

    def known(self, name: str) -> str:
        """What could have been meant, closest first."""
        from difflib import get_close_matches

        if not self.directories:
            return "There are none yet."
        close = get_close_matches(name, self.directories, n=1, cutoff=0.5)
        others = [other for other in self if other not in close]
        suggestion = f"Did you mean {close[0]!r}? " if close else ""
        return f"{suggestion}Known: {', '.join([*close, *others])}."

    def saved(self, name: str, directory: str) -> None:
        """From now on the name means what this cell saved."""
        self.directories[name] = directory
        self._datasets.pop(name, None)
        self._saved.add(name)

    def unchanged(self, name: str) -> Dataset | None:
        """The dataset as it came from above, if this cell looked at it."""
        return None if name in self._saved else self._datasets.get(name)
