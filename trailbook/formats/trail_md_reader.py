"""Finds the cells in Markdown: blocks marked `{cell}`, and the prose between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trailbook.errors import Invalid, TrailbookError
from trailbook.formats.document import TEXT, Accepted, DocumentCell, checked_parameters, text_cell
from trailbook.formats.parameter_text import read_attributes, read_body, read_value
from trailbook.model.base import Json

MARKER = "<!-- cell -->"
"""Between two Markdown cells."""
_CELL = re.compile(r"(`{3,})([a-z][a-z0-9_]*) \{cell( .*)?\}\s*")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,}).*")
_ABOUT = re.compile(r"(title|packages):(.*)")
MOST_ABOUT = 2
RULE = "---"
"""Before and after the front matter."""


def split_front_matter(lines: Sequence[str]) -> tuple[dict[str, Json], Sequence[str], int]:
    """What stands in the front matter, the lines after it, and the number of the first of those.

    Front matter that says anything else is somebody else's, and stays where it is.
    """
    rules = [index for index, line in enumerate(lines[: MOST_ABOUT + 2]) if line == RULE]
    if len(rules) < 2 or rules[0] != 0:
        return {}, lines, 1
    end = rules[1]
    found = [_ABOUT.fullmatch(line) for line in lines[1:end]]
    about = {one[1]: read_value(one[2]) for one in found if one}
    if not found or len(about) < len(found):
        return {}, lines, 1
    return about, lines[end + 1 :], end + 2


def cells_in(lines: Sequence[str], first: int = 1) -> Iterator[DocumentCell]:
    """The cells. One that can't be read is an error that names its line, counted from `first`."""
    prose: list[str] = []
    at = 0
    while at < len(lines):
        opening = _CELL.fullmatch(lines[at])
        end = _end_of_block(lines, at)
        if opening:
            yield from _markdown(prose)
            prose = []
            if end is None:
                raise Invalid(f"Line {first + at}: the cell that starts here has no end: a line {opening[1]}.")
            yield _read_cell(opening, lines[at + 1 : end - 1], first + at)
        elif lines[at].rstrip() == MARKER:
            yield from _markdown(prose)
            prose = []
        else:
            prose += lines[at : end or len(lines)]
        at = end or len(lines)
    yield from _markdown(prose)


def _end_of_block(lines: Sequence[str], at: int) -> int | None:
    """The index after a fenced block, or after a single line; None if the block never ends."""
    opening = _CELL.fullmatch(lines[at]) or _FENCE.fullmatch(lines[at])
    if not opening:
        return at + 1
    closing = re.compile(rf" {{0,3}}{opening[1][0]}{{{len(opening[1])},}}\s*")
    return next((index + 1 for index in range(at + 1, len(lines)) if closing.fullmatch(lines[index])), None)


def _markdown(prose: list[str]) -> Iterator[DocumentCell]:
    """The prose as a cell, without the blank lines around it."""
    filled = [index for index, line in enumerate(prose) if line.strip()]
    if filled:
        yield text_cell("markdown", "\n".join(prose[filled[0] : filled[-1] + 1]))


def _read_cell(opening: re.Match[str], body: Sequence[str], line: int) -> DocumentCell:
    kind, text = opening[2], "\n".join(body)
    try:
        words, parameters = read_attributes(opening[3] or "")
        acknowledged = parameters.pop("acknowledged", [])
        name = TEXT.get(kind)
        given = {name: text, **parameters} if name else {**read_body(text), **parameters}
        return DocumentCell(
            kind=kind,
            parameters=checked_parameters(kind, given),
            acknowledged=_accepted(acknowledged),
            is_parameters="parameters" in words,
        )
    except TrailbookError as error:
        raise Invalid(f"Line {line}: {error.message}", line=line, **error.details) from error


def _accepted(given: Json) -> tuple[Accepted, ...]:
    try:
        return tuple(Accepted(**one) for one in given)
    except (TypeError, ValueError) as error:
        raise Invalid('acknowledged is a list of {"place": …, "message": …, "note": …}.') from error
