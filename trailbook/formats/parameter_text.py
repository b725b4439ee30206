"""Parameters as people can read them: text as it is where that is clear, otherwise JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from trailbook.errors import Invalid
from trailbook.model.base import Json

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_JSON = json.JSONDecoder()


def value_text(value: Json) -> str:
    """One line. Text stands as it is, unless it could be taken for something else."""
    is_clear = isinstance(value, str) and value.isprintable() and value and read_value(value) == value
    return str(value) if is_clear else attribute(value)


def read_value(text: str) -> Json:
    text = text.strip()
    try:
        return _JSON.decode(text)
    except (ValueError, RecursionError):
        return text


def body_text(parameters: Mapping[str, Json]) -> str:
    """A line for each: `name: value`."""
    return "\n".join(f"{name}: {value_text(value)}" for name, value in parameters.items())


def read_body(body: str) -> dict[str, Json]:
    """The opposite. Blank lines don't count."""
    found = {}
    for line in filter(str.strip, body.split("\n")):
        name, colon, value = line.partition(":")
        if not colon or not _NAME.fullmatch(name.strip()):
            raise Invalid(f"{line!r} is not a parameter: write `name: value`, one on each line.")
        found[name.strip()] = read_value(value)
    return found


def attribute(value: Json) -> str:
    """JSON on one line, without backticks, which would end the line's meaning for Markdown."""
    text = json.dumps(value, ensure_ascii=False)
    if not text.isprintable():
        text = json.dumps(value)
    return text.replace("`", "\\u0060")


def read_attributes(text: str) -> tuple[frozenset[str], dict[str, Json]]:
    """What stands behind the kind of a cell: single words, and `name=JSON`."""
    words: set[str] = set()
    values: dict[str, Json] = {}
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        name = _NAME.match(text, at)
        if not name:
            raise Invalid(f"{text[at:]!r} is not understood: write words, or name=value with the value in JSON.")
        at = name.end()
        if text[at : at + 1] != "=":
            words.add(name[0])
            continue
        try:
            values[name[0]], at = _JSON.raw_decode(text, at + 1)
        except (ValueError, RecursionError) as error:
            raise Invalid(f"The value of {name[0]} is not JSON; text needs double quotes.") from error
    return frozenset(words), values
