"""The records of a JSON file: its lines, or what a document holds at some place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import count, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from trailbook.errors import CellFailed
from trailbook.settings import MIB
from trailbook.sources.formats.format import HEAD_BYTES
from trailbook.sources.formats.json_decoder import Decoder
from trailbook.sources.formats.json_places import ROOT, gone_to, rest_of, sequence, text_of
from trailbook.sources.formats.json_stream import Found, Stream
from trailbook.sources.formats.lines import Encoding, lines
from trailbook.sources.formats.records import joined, shown

MOST_COLUMNAR = 256 * MIB
"""Bytes of a document that holds columns, all of which have to be in memory to make rows of them."""


class Parsed(NamedTuple):
    """A value of the file that should be a record, if `is_json`, with its number and what is wrong with it."""

    line: int
    value: Any
    size: int
    problem: str | None = None
    is_json: bool = True
    left_out: bool = False
    is_lost: bool = False


def line_records(path: Path, encoding: Encoding) -> Iterator[Parsed]:
    """A value for each line that is not blank."""
    decoder = Decoder()
    for line in lines(path, encoding):
        if not line.text or line.text.isspace():
            continue
        try:
            value = decoder.value(line.text)
        except ValueError as error:
            wrong = joined(line.wrong(f"it is no JSON ({error})"), line.problem)
            yield Parsed(line.number, None, line.size, wrong, is_json=False)
            continue
        notes = decoder.taken() + ([line.problem] if line.problem else [])
        yield Parsed(line.number, value, line.size, line.wrong(", ".join(notes)) if notes else None)


def document_records(path: Path, encoding: Encoding, place: str) -> Iterator[Parsed]:
    """The values at that place of the document, numbered from 1."""
    with text_of(path, encoding) as file:
        stream = Stream(file)
        around = gone_to(stream, place)
        numbers = count(1)
        is_sequence = place == ROOT and stream.peek() != "["
        yield from map(_parsed, sequence(stream) if is_sequence else _elements(stream), numbers)
        yield from map(_parsed, rest_of(stream, around), numbers)


def columnar_records(path: Path, encoding: Encoding, place: str) -> Iterator[Parsed]:
    """Rows of a document that holds an array for each column."""
    if path.stat().st_size > MOST_COLUMNAR:
        raise CellFailed(f"It holds whole columns in more than {MOST_COLUMNAR // MIB} MiB. Write it as JSON lines.")
    with text_of(path, encoding) as file:
        stream = Stream(file)
        around = gone_to(stream, place)
        whole = _parsed(stream.found(), 1)
        rest = list(rest_of(stream, around))
    number = 1
    if isinstance(whole.value, dict):
        lists = [values if isinstance(values, list) else [values] for values in whole.value.values()]
        shortest = min(map(len, lists), default=0)
        for number, row in enumerate(zip_longest(*lists), 1):
            short = None if number <= shortest else f"record {number}: some columns end before it"
            record = dict(zip(whole.value, row, strict=True))
            yield Parsed(number, record, 0, joined(whole.problem if number == 1 else None, short))
    else:
        yield whole
    yield from map(_parsed, rest, count(number + 1))


def is_lines(head: bytes, encoding: Encoding) -> bool:
    """Is each line a value, or is it one document? The first lines tell."""
    decoder = Decoder()
    texts = head.decode(encoding.name, "replace").splitlines()
    texts = [text for text in (texts[:-1] if len(head) == HEAD_BYTES else texts) if text.strip("\ufeff \t")]
    if len(texts) < 2 or texts[0].strip("\ufeff \t") in ("[", "{"):
        return False
    whole = 0
    for text in texts:
        with suppress(ValueError):
            whole += isinstance(decoder.value(text.removeprefix("\ufeff")), (dict, list))
    return whole * 2 >= len(texts)


def _elements(stream: Stream) -> Iterator[Found]:
    """Of the array that begins here, or what is there instead."""
    return stream.elements() if stream.peek() == "[" else iter([stream.found()])


def _parsed(found: Found, number: int) -> Parsed:
    said = ", ".join(found.notes)
    text = f": {shown(found.text)}" if found.text else ""
    problem = f"record {number}, character {found.offset}: {said}{text}" if said else None
    return Parsed(number, found.value, found.size, problem, found.is_json, found.left_out, found.is_lost)
