"""The elements of an XML file that are its records, with all that is in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any

from trailbook.errors import CellFailed
from trailbook.settings import MIB
from trailbook.sources.formats.markup import Attributes, Markup
from trailbook.sources.formats.records import json_text

TEXT = "#text"
MOST_DEPTH = 100
MOST_RECORD = 64 * MIB
"""Characters of one record: all of it has to be in memory."""


class Element:
    """An element that is complete, or still being read. A record knows its place in the file."""

    __slots__ = ("_attributes", "_inner", "is_cut", "line", "name", "outer", "size")

    def __init__(self, name: str, attributes: Attributes, line: int = 0) -> None:
        self.name = name
        self.line = line
        self.size = 0
        self.is_cut: str | None = None
        self.outer: Attributes = {}
        self._attributes = attributes
        self._inner: list[Element | str] = []

    def add(self, child: Element | str) -> None:
        self._inner.append(child)

    def values(self) -> dict[str, str]:
        """What is in it by name, as text; before it, what is said of it by the elements around it."""
        parts = {**self.outer, **self._parts()}
        return {key: value if isinstance(value, str) else json_text(value) for key, value in parts.items()}

    def _parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = {f"@{name}": value for name, value in self._attributes.items()}
        several: dict[str, list[Any]] = {}
        for child in self._inner:
            if isinstance(child, Element):
                several.setdefault(child.name, []).append(child._content())
        parts.update({name: values[0] if len(values) == 1 else values for name, values in several.items()})
        text = self._text()
        return {**parts, TEXT: text} if text or not parts else parts

    def _content(self) -> Any:
        """Its text, if that is all there is."""
        is_plain = not self._attributes and all(isinstance(child, str) for child in self._inner)
        return self._text() if is_plain else self._parts()

    def _text(self) -> str:
        """Its own text; if elements stand in the middle of it, with theirs, or it would be torn apart."""
        runs = ["".join(map(str, run)) for is_own, run in groupby(self._inner, lambda x: isinstance(x, str)) if is_own]
        own = [run.strip() for run in runs if run.strip()]
        return "".join(self._all_texts()).strip() if len(own) > 1 else "".join(own)

    def _all_texts(self) -> Iterator[str]:
        for child in self._inner:
            if isinstance(child, str):
                yield child
            else:
                yield from child._all_texts()


class Elements:
    """Gathers the elements at one path. Each knows the attributes of those elements around it whose paths are `kept`;
    what else is said around the records is `left_out`."""

    def __init__(self, record: str, kept: Collection[str] = ()) -> None:
        self.left_out: dict[str, None] = {}
        self._kept = kept
        self._outer: list[Attributes] = []
        self.markup = Markup(self._start, self._end, self._text)
        self._record = record.split("/")
        self._path: list[str] = []
        self._open: list[Element] = []
        self._done: list[Element] = []

    def taken(self) -> list[Element]:
        """Those that are complete, which are forgotten then."""
        done, self._done = self._done, []
        return done

    def cut(self, why: str) -> list[Element]:
        """The record that is not complete and won't be, as far as it goes."""
        if self._open:
            self._open[0].is_cut = f"line {self._open[0].line}: the element {self._open[0].name} is cut off: {why}"
        while self._open:
            self._end("")
        return self.taken()

    @staticmethod
    def refuse_deep(depth: int) -> None:
        if depth > MOST_DEPTH:
            raise CellFailed(f"Its elements are nested more than {MOST_DEPTH} deep.")

    def _start(self, name: str, attributes: Attributes) -> None:
        self._path.append(name)
        self.refuse_deep(len(self._path))
        if self._open or self._path == self._record:
            self._open.append(Element(name, attributes, self.markup.line))
            self._grow(len(name) + sum(map(len, attributes.values())))
        else:
            self._around(attributes)

    def _around(self, attributes: Attributes) -> None:
        """Keep what is said outside of records, for those that are inside of it."""
        path = "/".join(self._path)
        named = {f"{path}/@{name}": value for name, value in attributes.items()}
        if path not in self._kept and self._is_around:
            self.left_out.update(dict.fromkeys(named))
        self._outer.append(named if path in self._kept else {})

    @property
    def _is_around(self) -> bool:
        return self._path == self._record[: len(self._path)]

    def _end(self, name: str) -> None:
        self._path.pop()
        if self._open:
            element = self._open.pop()
            if self._open:
                self._open[-1].add(element)
            else:
                element.outer = {name: value for each in self._outer for name, value in each.items()}
                self._done.append(element)
        else:
            self._outer.pop()

    def _text(self, data: str) -> None:
        if self._open:
            self._open[-1].add(data)
            self._grow(len(data))
        elif self._is_around and data.strip():
            self.left_out[f"the text of {'/'.join(self._path)}"] = None

    def _grow(self, size: int) -> None:
        record = self._open[0]
        record.size += size
        if record.size > MOST_RECORD:
            raise CellFailed(f"The element in line {record.line} has more than {MOST_RECORD // MIB} MiB of text.")
