"""The parts of a notebook's JSON, with what may be missing or wrong about them."""

from __future__ import annotations

from typing import Any, TypeVar

from trailbook.errors import Invalid

Raw = dict[str, Any]
Part = TypeVar("Part", dict[str, Any], list[Any])


def joined(text: Any) -> str:
    """Text is a string, or a list of lines."""
    if isinstance(text, str):
        return text
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        return "".join(text)
    raise Invalid(f"Text is expected where there is {str(text)[:60]!r}.")


def split(text: str) -> list[str]:
    """The lines of a text with their ends, as Jupyter writes them."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def member(whole: Raw, name: str, kind: type[Part]) -> Part:
    """A part that may be missing, or null, which is the same as empty."""
    part = whole.get(name)
    if part is None:
        return kind()
    if not isinstance(part, kind):
        raise Invalid(f"`{name}` of a notebook is a {kind.__name__}, not {str(part)[:60]!r}.")
    return part


def entries(whole: Raw, name: str) -> list[Raw]:
    """A list of objects."""
    found = member(whole, name, list)
    for entry in found:
        if not isinstance(entry, dict):
            raise Invalid(f"`{name}` of a notebook holds objects, not {str(entry)[:60]!r}.")
    return found
