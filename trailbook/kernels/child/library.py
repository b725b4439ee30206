"""`tb`: what Trailbook offers to a cell's code."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.channel import Channel
from trailbook.kernels.child.errors import BadDataset, NotCreated, UnknownDataset
from trailbook.kernels.child.frames.dataset import Dataset
from trailbook.kernels.child.namespace import Namespace, flows
from trailbook.kernels.child.results import Results, check_name
from trailbook.kernels.child.said import Said
from trailbook.kernels.child.scope import Scope
from trailbook.kernels.child.shown.display import Display

if TYPE_CHECKING:
    from trailbook.model.caveat import Caveat as Doubt

PROGRESS_SECONDS = 0.1


class Library:
    """Datasets by name, results, progress.

    >>> tb.dataset("sales").polars()        # also .pandas() .arrow() .spark() .batches() .pages() .columns .rows
    >>> tb.create("rates", url="https://example.org/rates.csv")
    >>> tb.save("totals", frame, caveats=[tb.Caveat("typed by hand", row=3, column="price")])
    >>> tb.progress(3, 10, "reading files")
    """

    def __init__(
        self, scope: Scope, namespace: Namespace, results: Results, display: Display, channel: Channel
    ) -> None:
        self._scope = scope
        self._namespace = namespace
        self._results = results
        self._display = display
        self._channel = channel
        self._progress_sent = 0.0

    @property
    def Caveat(self) -> type[Doubt]:  # noqa: N802 - it is a class
        """A doubt to save with data: `tb.Caveat("typed by hand", row=3, column="price")`."""
        from trailbook.model.caveat import Caveat

        return Caveat

    def dataset(self, name: str) -> Dataset:
        """The dataset `name` of the cells above, or what this cell saved under that name."""
        return self._scope.dataset(name)

    def datasets(self) -> list[str]:
        """The names of the datasets that can be read."""
        self._scope.every_name()
        return list(self._scope)

    def create(self, name: str, *, url: str, format: str = "auto", **options: Any) -> Dataset:
        """Make a dataset of what is at an address: http(s), s3 or a Google Sheet. It does not pass through the cell.

        The format is one of those that a Load cell reads, with its options; `auto` goes by the name of the file, by
        what the server says, and by how the file looks.
        """
        check_name(name)
        answer = self._channel.ask("create", name=name, url=str(url), format=format, options=options)
        if "error" in answer:
            raise NotCreated(f"{name} can't be created: {answer['error']}")
        self._namespace.forget(name)
        self._results.created(name, answer["number"], answer["path"])
        return self._scope.dataset(name)

    def save(
        self, name: str, data: Any, *, caveats: Iterable[Doubt] = (), depends_on: Iterable[str] | None = None
    ) -> None:
        """Store a pandas, Polars, Arrow or Spark frame as the dataset `name`.

        It has these caveats, and is in doubt as a whole if one of the names is that it `depends_on`: all that the
        cell reads, unless some are named.
        """
        self._results.save(name, data, Said.of(caveats, depends_on))
        self._namespace.values_above.forget(name)

    def drop(self, name: str) -> None:
        """Take a dataset or value away, from this cell and those below."""
        self._find(name)
        self._results.drop(name)
        self._scope.drop(name)
        self._namespace.forget(name)

    def rename(self, old: str, new: str) -> None:
        """Let a dataset or value go by another name, in this cell and those below."""
        check_name(new)
        has_looked_up = self._scope.has_looked_up(old)
        self._find(old)
        if new in self._namespace:
            raise BadDataset(f"There is something called {new!r} already. Drop it first, or choose another name.")
        is_dataset = old in self._scope.directories
        if is_dataset and (self._scope.is_saved(old) or not self._namespace.holds(old)):
            self._results.rename(old, new, has_looked_up)
            self._namespace.forget(old)
        else:
            value = self._namespace[old]
            self.drop(old)
            self._namespace[new] = value

    def _find(self, name: str) -> None:
        """Refuse a name that means nothing here."""
        if not flows(name) or name not in self._namespace:
            raise UnknownDataset(f"There is nothing called {name!r} here. {self._scope.known(str(name))}")

    def show(self, value: Any) -> None:
        """Show a value under the cell, as its last expression would be."""
        self._display(value)

    def progress(self, done: int, total: int | None = None, label: str = "") -> None:
        """Say how far the cell is. Cheap enough for every turn of a loop."""
        now = time.monotonic()
        if done == total or now - self._progress_sent >= PROGRESS_SECONDS:
            self._progress_sent = now
            self._channel.send(
                "progress", done=int(done), total=None if total is None else int(total), label=str(label)
            )
