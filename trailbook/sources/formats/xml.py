"""XML: a row for each of the elements that repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pyarrow as pa
from pydantic import Field

from trailbook.errors import CellFailed, Invalid
from trailbook.sources.formats.format import FORMATS, Column, Format, Layout, Options, head_of, refuse_many
from trailbook.sources.formats.lines import refuse_binary
from trailbook.sources.formats.markup import Malformed, Markup
from trailbook.sources.formats.names import unique_names
from trailbook.sources.formats.records import Record, batched, joined, json_text, lost, shown
from trailbook.sources.formats.xml_records import TEXT, Element, Elements

_SHOWN = 10


class XmlOptions(Options):
    record: str = Field(
        "", description="The element that is a row: its name, or its path, such as rss/channel/item; empty guesses it."
    )


class XmlFormat(Format[XmlOptions]):
    """Attributes and elements of a record are columns; what is nested in them, or several times there, is JSON text."""

    name = "xml"
    title = "XML"
    extensions = (".xml", ".rss", ".gpx", ".kml")
    media_types = ("application/xml", "text/xml")
    Options = XmlOptions

    def is_it(self, head: bytes) -> bool:
        start = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        return start.startswith(b"<") and not start[:64].lower().startswith((b"<!doctype html", b"<html"))

    def layout(self, path: Path, options: XmlOptions, most_records: int | None = None) -> Layout[XmlOptions]:
        refuse_binary(head_of(path))
        counts = _counted(path, most_records)
        record = _given(counts, options.record) if options.record else _repeated(counts)
        above = _above(record)
        elements = Elements(record, [each for each in above if counts[each] > 1])
        keys: dict[str, None] = {}
        for element in islice(_found(path, elements), most_records):
            if isinstance(element, Element):
                keys.update(dict.fromkeys(element.values()))
                refuse_many(len(keys))
        columns = tuple(Column(name, pa.string(), True, key) for name, key in zip(_names(keys), keys, strict=True))
        guessed = () if options.record else (f"each element {record} was taken for a row",)
        others = [each for each in counts if each not in (*above, record) and not each.startswith(f"{record}/")]
        return Layout(columns, XmlOptions(record=record), (*guessed, *_beside([*elements.left_out, *others])))

    def batches(
        self, path: Path, layout: Layout[XmlOptions], most_records: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        return batched(_records(path, layout), layout, most_records)


def _counted(path: Path, most: int | None) -> Counter[str]:
    """How often each path of elements is there, as far as it is XML."""
    counts: Counter[str] = Counter()
    places: list[str] = []

    def start(name: str, _: dict[str, str]) -> None:
        places.append(f"{places[-1]}/{name}" if places else name)
        counts[places[-1]] += 1
        Elements.refuse_deep(len(places))

    def end(_: str) -> None:
        places.pop()

    markup = Markup(start, end)
    with path.open("rb") as file:
        try:
            for _ in markup.read(file):
                # Of a preview more is not needed; a part tells which elements repeat.
                if most is not None and counts.total() > most * 100:
                    break
        except Malformed as error:
            if not counts:
                raise CellFailed(f"It is no XML: line {error.line}, column {error.column}: {error}.") from error
    return counts


def _repeated(counts: Counter[str]) -> str:
    """The one that is least deep, and of these the most frequent; the outermost if none repeats."""
    several = [path for path, count in counts.items() if count > 1]
    return min(several, key=lambda path: (path.count("/"), -counts[path]), default=next(iter(counts)))


def _given(counts: Counter[str], record: str) -> str:
    wanted = record.strip("/")
    fitting = [path for path in counts if path == wanted or path.endswith(f"/{wanted}")]
    if not fitting:
        known = ", ".join(path for path, _ in counts.most_common(_SHOWN))
        raise Invalid(f"There is no element {record} in it. There is: {known}.")
    return max(fitting, key=lambda path: counts[path])


def _above(record: str) -> list[str]:
    """The paths of the elements around records."""
    steps = record.split("/")
    return ["/".join(steps[:length]) for length in range(1, len(steps))]


def _names(keys: Iterable[str]) -> list[str]:
    """`id` for the attribute of a record, `day.id` for that of an element around it."""
    return unique_names("text" if key == TEXT else _called(key) for key in keys)


def _called(key: str) -> str:
    path, _, name = key.rpartition("@")
    return f"{path.rstrip('/').rpartition('/')[2]}.{name}" if path else name


def _beside(others: list[str]) -> list[str]:
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return [f"what stands beside the rows is not in the table: {', '.join(others[:_SHOWN])}{more}"] if others else []


def _found(path: Path, elements: Elements) -> Iterator[Element | Malformed]:
    """The records, and as the last thing what is wrong with the file where it is no XML any more."""
    with path.open("rb") as file:
        try:
            for _ in elements.markup.read(file):
                yield from elements.taken()
        except Malformed as error:
            yield from elements.taken()
            yield from elements.cut(f"line {error.line}, column {error.column}: {error}")
            yield error


def _records(path: Path, layout: Layout[XmlOptions]) -> Iterator[Record]:
    keys = [column.key for column in layout.columns]
    known = frozenset(keys)
    elements = Elements(layout.options.record, {key.rpartition("/@")[0] for key in keys})
    for element in _found(path, elements):
        if isinstance(element, Malformed):
            what = f"line {element.line}, column {element.column}: {element}, so nothing after it can be read"
            yield lost(len(keys), what)
            return
        values = element.values()
        problem = element.is_cut
        if not values.keys() <= known:
            others = {key: value for key, value in values.items() if key not in known}
            problem = joined(problem, f"line {element.line} has what has no column: {shown(json_text(others))}")
        yield Record(element.line, [values.get(key) for key in keys], problem, size=element.size)


FORMATS.add(XmlFormat.name, XmlFormat())
