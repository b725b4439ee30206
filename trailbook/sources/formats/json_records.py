"""The records of a JSON file: its lines, or what a document holds at some place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, islice, zip_longest
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from trailbook.errors import CellFailed, Invalid
from trailbook.settings import MIB
from trailbook.sources.formats.format import HEAD_BYTES
from trailbook.sources.formats.json_decoder import Decoder
from trailbook.sources.formats.json_stream import Found, Stream
from trailbook.sources.formats.lines import Encoding, lines
from trailbook.sources.formats.records import joined, json_text, shown

ROOT = "."
MOST_COLUMNAR = 256 * MIB
"""Bytes of a document that holds columns, all of which have to be in memory to make rows of them."""
_DEPTH = 3
"""How deep records are looked for."""


class Parsed(NamedTuple):
    """A value of the file that should be a record, if `is_json`, with its number and what is wrong with it."""

    line: int
    value: Any
    size: int
    problem: str | None = None
    is_json: bool = True
    left_out: bool = False


class Array(NamedTuple):
    """An array in a document: where it is, and how many of its values are objects."""

    path: str
    objects: int
    length: int


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
    with _text_of(path, encoding) as file:
        stream = Stream(file)
        if place != ROOT:
            _go_to(stream, place)
        numbers = count(1)
        yield from map(_parsed, stream.elements() if stream.peek() == "[" else _sequence(stream), numbers)
        if place == ROOT:
            yield from map(_beyond, _sequence(stream), numbers)


def columnar_records(path: Path, encoding: Encoding, place: str) -> Iterator[Parsed]:
    """Rows of a document that holds an array for each column."""
    if path.stat().st_size > MOST_COLUMNAR:
        raise CellFailed(f"It holds whole columns in more than {MOST_COLUMNAR // MIB} MiB. Write it as JSON lines.")
    with _text_of(path, encoding) as file:
        stream = Stream(file)
        if place != ROOT:
            _go_to(stream, place)
        whole = _parsed(stream.found(), 1)
    if not isinstance(whole.value, dict):
        yield whole
        return
    lists = [values if isinstance(values, list) else [values] for values in whole.value.values()]
    shortest = min(map(len, lists), default=0)
    for number, row in enumerate(zip_longest(*lists), 1):
        short = None if number <= shortest else f"record {number}: some columns end before it"
        record = dict(zip(whole.value, row, strict=True))
        yield Parsed(number, record, 0, joined(whole.problem if number == 1 else None, short))


def place_of_records(path: Path, encoding: Encoding, most: int | None) -> tuple[str, bool]:
    """Where in the document most objects stand side by side; and whether it holds columns instead."""
    arrays: list[Array] = []
    names, is_sequence = 0, False
    with _text_of(path, encoding) as file:
        stream = Stream(file)
        if stream.peek() == "[":
            return ROOT, False
        # What is wrong in the document is told when its records are read.
        with suppress(ValueError):
            names = _survey(stream, (), arrays, most)
            is_sequence = bool(stream.peek())
    best = max(arrays, key=lambda array: array.objects, default=Array(ROOT, 0, 0))
    if best.objects > 1 and not is_sequence:
        return best.path, False
    tops = [array for array in arrays if "." not in array.path]
    return ROOT, 0 < len(tops) == names and len({array.length for array in tops}) == 1


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


def _survey(stream: Stream, path: tuple[str, ...], arrays: list[Array], most: int | None) -> int:
    """Goes over the next value and keeps the arrays in it; says how many names are in it."""
    first = stream.peek()
    names = 0
    if first == "[":
        some = Counter(islice(_are_objects(stream), most))
        arrays.append(Array(".".join(path), some[True], some.total()))
        if some.total() == most:
            raise ValueError("more is not needed for a preview")
    elif first == "{" and len(path) < _DEPTH:
        for name in stream.members():
            # A name with a dot in it can't be written in a place.
            _survey(stream, (*path, name) if "." not in name else ("",) * _DEPTH, arrays, most)
            names += 1
    else:
        stream.value()
    return names


def _are_objects(stream: Stream) -> Iterator[bool]:
    return (isinstance(element.value, dict) for element in stream.elements() if not element.left_out)


def _go_to(stream: Stream, place: str) -> None:
    try:
        _descend(stream, place)
    except json.JSONDecodeError as error:
        raise CellFailed(f"It is no JSON before {place}, at character {stream.offset}: {error}.") from error


def _descend(stream: Stream, place: str) -> None:
    for step in place.split("."):
        if stream.peek() != "{":
            raise Invalid(f"There is no {place} in it: what stands before {step} is no object.")
        names = []
        for name in stream.members():
            if name == step:
                break
            names.append(name)
            stream.value()
        else:
            raise Invalid(f"There is no {place} in it. Beside it there is: {', '.join(names[:20]) or 'nothing'}.")


def _sequence(stream: Stream) -> Iterator[Found]:
    while stream.peek():
        yield stream.found()


def _parsed(found: Found, number: int) -> Parsed:
    said = ", ".join(found.notes)
    text = f": {shown(found.text)}" if found.text else ""
    problem = f"record {number}, character {found.offset}: {said}{text}" if said else None
    return Parsed(number, found.value, found.size, problem, found.is_json, found.left_out)


def _beyond(found: Found, number: int) -> Parsed:
    text = shown(found.text or json_text(found.value))
    problem = f"character {found.offset}, after the end of the array: {text}"
    return Parsed(number, None, found.size, problem, left_out=True)


def _text_of(path: Path, encoding: Encoding) -> TextIO:
    # What is no character is told with the value that it is in, where an encoding lets it through.
    errors = "replace" if encoding.name.startswith(("utf-16", "utf-32")) else "surrogateescape"
    file = path.open(encoding=encoding.name, errors=errors, newline="")
    file.read(1 if encoding.mark else 0)
    return file
