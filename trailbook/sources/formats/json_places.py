"""Places in a JSON document: where its records are, the way there, and what comes after them."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TextIO

from trailbook.errors import CellFailed, Invalid
from trailbook.sources.formats.json_stream import Found, Stream
from trailbook.sources.formats.lines import Encoding
from trailbook.sources.formats.records import json_text

ROOT = "."
_DEPTH = 3
"""How deep records are looked for."""
_HALVED = "trailbook-halved"
"""To decode what is no character as half of one, which is told with the value that it is in."""


def _half(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "\udcff", error.end


codecs.register_error(_HALVED, _half)


class Array(NamedTuple):
    """An array in a document: where it is, and how many of its values are objects."""

    path: str
    objects: int
    length: int


class Around(NamedTuple):
    """An object on the way to the records: the name by which the way goes on, and the members from there on."""

    step: str
    members: Iterator[str]


def text_of(path: Path, encoding: Encoding) -> TextIO:
    file = path.open(encoding=encoding.name, errors=_HALVED, newline="")
    file.read(1 if encoding.mark else 0)
    return file


def place_of_records(path: Path, encoding: Encoding, most: int | None) -> tuple[str, bool]:
    """Where in the document most objects stand side by side; and whether it holds columns instead."""
    arrays: list[Array] = []
    names, is_sequence = 0, False
    with text_of(path, encoding) as file:
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


def gone_to(stream: Stream, place: str) -> list[Around]:
    """The objects around that place, from the outermost; the stream stands at the place then."""
    try:
        return [_entered(stream, step, place) for step in place.split(".")] if place != ROOT else []
    except ValueError as error:
        raise CellFailed(f"It is no JSON before {place}, at character {stream.offset}: {error}.") from error


def _entered(stream: Stream, step: str, place: str) -> Around:
    if stream.peek() != "{":
        raise Invalid(f"There is no {place} in it: what stands before {step} is no object.")
    names, members = [], stream.members()
    for name in members:
        if name == step:
            return Around(step, members)
        names.append(name)
        stream.value()
    raise Invalid(f"There is no {place} in it. Beside it there is: {', '.join(names[:20]) or 'nothing'}.")


def rest_of(stream: Stream, around: list[Around]) -> Iterator[Found]:
    """What comes after the records and should not."""
    try:
        for step, members in reversed(around):
            for name in members:
                if name == step:
                    yield stream.lost(f"there is {step} once more, which is not in the table")
                _survey(stream, (), [], None)
    except ValueError as error:
        yield stream.lost(f"after the records it is no JSON ({error})")
        return
    for found in sequence(stream):
        text = found.text or json_text(found.value)
        yield found._replace(value=None, notes=("it is after the end",), text=text, is_json=True, left_out=True)


def sequence(stream: Stream) -> Iterator[Found]:
    while stream.peek():
        yield stream.found()
