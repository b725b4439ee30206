"""Columns that are not as they were: new, gone, or of another type since an earlier load."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from trailbook.model.base import Value


class Drift(Value):
    """A column and its type before and now; None where it is not there. `since` tells the load that had it so."""

    column: str
    was: str | None
    now: str | None
    since: str

    @property
    def message(self) -> str:
        return f"the column {self.column} {self.change} since the load of {self.since}"

    @property
    def change(self) -> str:
        if self.was is None:
            return "is new"
        return "is gone" if self.now is None else f"was {self.was} and is {self.now}"


def drift_between(
    before: Mapping[str, str],
    now: Mapping[str, str],
    *,
    known: Iterable[Drift],
    since: str,
    settled: Collection[str],
) -> tuple[Drift, ...]:
    """How columns and their types differ; what is `settled` by somebody is no drift.

    What was `known` to differ before that load still does, unless the column is again as it was: loading once more
    is no answer to a doubt.
    """
    earlier = {one.column: one for one in known}

    def compared() -> Iterator[Drift]:
        for column in dict.fromkeys((*now, *before, *earlier)):
            told = earlier.get(column)
            was, when = (told.was, told.since) if told else (before.get(column), since)
            if was != now.get(column) and column not in settled:
                yield Drift(column=column, was=was, now=now.get(column), since=when)

    return tuple(compared())
