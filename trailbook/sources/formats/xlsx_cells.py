"""The cells of Excel's sheets, and the texts that they refer to."""

from __future__ import annotations

import re

from trailbook.errors import CellFailed, TooLarge
from trailbook.settings import MIB
from trailbook.sources.formats.doubles import is_rounded
from trailbook.sources.formats.excel_dates import Dates
from trailbook.sources.formats.markup import Attributes, Markup, local
from trailbook.sources.formats.sheets import MOST_COLUMNS, MOST_ROWS, Range, Row, place

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
MOST_STRINGS = 512 * MIB
"""Characters of the texts of all cells, which are in one list."""


class Texts:
    """The texts that cells refer to."""

    def __init__(self) -> None:
        self.markup = Markup(self._start, self._end, self._text)
        self.found: list[str] = []
        self._parts: list[str] = []
        self._is_text = False
        self._is_spoken = False
        self._size = 0

    def _start(self, name: str, _: Attributes) -> None:
        name = local(name)
        if name == "si":
            self._parts = []
        elif name == "rPh":
            self._is_spoken = True
        self._is_text = name == "t" and not self._is_spoken

    def _end(self, name: str) -> None:
        name = local(name)
        self._is_text = False
        if name == "si":
            self.found.append(unescaped("".join(self._parts)))
        elif name == "rPh":
            self._is_spoken = False

    def _text(self, data: str) -> None:
        if self._is_text:
            self._parts.append(data)
            self._size += len(data)
            if self._size > MOST_STRINGS:
                raise TooLarge(f"Its cells have more than {MOST_STRINGS // MIB} MiB of text.")


class Cells:
    """The rows of a sheet."""

    def __init__(self, strings: list[str], styles: list[str | None], dates: Dates) -> None:
        self.markup = Markup(self._start, self._end, self._text)
        self._row = 0
        self._strings = strings
        self._styles = styles
        self._dates = dates
        self._done: list[Row] = []
        self._cells: dict[int, object] = {}
        self._problems: list[str] = []
        self._column = -1
        self._columns: dict[str, int] = {}
        self._attributes: Attributes = {}
        self._value: list[str] = []
        self._formula: list[str] | None = None
        self._into: list[str] | None = None
        self._is_spoken = False

    def taken(self) -> list[Row]:
        done, self._done = self._done, []
        return done

    def _start(self, name: str, attributes: Attributes) -> None:
        if name == "c" or name.endswith(":c"):
            self._attributes = attributes
            self._value = []
            self._formula = None
            self._column = self._column_of(attributes.get("r", ""))
        elif name in ("v", "t") or name.endswith((":v", ":t")):
            self._into = None if self._is_spoken else self._value
        elif local(name) == "rPh":
            self._is_spoken = True
        elif name == "f" or name.endswith(":f"):
            self._formula = self._into = []
        elif name == "row" or name.endswith(":row"):
            self._row = int(attributes.get("r") or self._row + 1)
            self._column = -1
            if self._row > MOST_ROWS:
                raise CellFailed(f"It has a row {self._row:,}; Excel has {MOST_ROWS:,}.")

    def _text(self, data: str) -> None:
        if self._into is not None:
            self._into.append(data)

    def _end(self, name: str) -> None:
        self._into = None
        if name == "c" or name.endswith(":c"):
            self._is_spoken = False
            self._end_cell("".join(self._value))
        elif (name == "row" or name.endswith(":row")) and (self._cells or self._problems):
            self._done.append(Row(self._row, self._cells, self._problems))
            self._cells, self._problems = {}, []

    def _end_cell(self, text: str) -> None:
        try:
            value = self._cell(text)
        except (ValueError, OverflowError) as error:
            said = str(error) if text in str(error) else f"{text!r} can't be read: {error}"
            self._tell(said)
            return
        if self._column in self._cells:
            self._tell(f"there are several values, the last counts; one is {self._cells[self._column]!r}")
        if value is not None:
            self._cells[self._column] = value

    def _tell(self, problem: str) -> None:
        self._problems.append(f"{place(self._column, self._row)}: {problem}")

    def _column_of(self, reference: str) -> int:
        letters = reference.rstrip("0123456789")
        if not letters:
            return self._column + 1
        known = self._columns.get(letters)
        if known is None:
            known = self._columns[letters] = _column_number(letters)
        return known

    def _cell(self, text: str) -> object:
        """The value, or a ValueError that says why there is none."""
        kind = self._attributes.get("t", "n")
        if kind == "s":
            return self._shared(text)
        if kind in ("str", "inlineStr"):
            return unescaped(text)
        if not text and self._formula is not None:
            raise ValueError(f"the formula ={''.join(self._formula)} has no value")
        if not text:
            return None
        if kind == "e":
            raise ValueError(text)
        return text.strip() not in ("0", "false") if kind == "b" else self._number(text)

    def _shared(self, text: str) -> str:
        if not text.isdecimal() or int(text) >= len(self._strings):
            raise ValueError(f"there is no text of number {text!r}")
        return self._strings[int(text)]

    def _number(self, text: str) -> object:
        if self._attributes.get("t") == "d":
            return self._dates.written(text)
        style = int(self._attributes.get("s", "0"))
        format = self._styles[style] if style < len(self._styles) else None
        number = float(text)
        if is_rounded(text, number):
            self._tell(f"{text} was rounded to {number!r}")
        return plain(number) if format is None else self._dates.of(number, format)


def unescaped(text: str) -> str:
    """Characters that XML can't hold, or would change, are written as _x000D_."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def plain(number: float) -> int | float:
    """Excel has but one kind of number."""
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _column_number(letters: str) -> int:
    """B is 1."""
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - ord("A") + 1
        if not "A" <= letter.upper() <= "Z" or column > MOST_COLUMNS:
            raise CellFailed(f"It has a column {letters[:20]}; Excel's last one is XFD.")
    return column - 1


def range_of(reference: str) -> Range:
    first, _, last = reference.replace("$", "").partition(":")
    (left, top), (right, bottom) = map(_place_of, (first, last or first))
    return Range(top, left, bottom, right)


def _place_of(reference: str) -> tuple[int, int]:
    letters = reference.rstrip("0123456789")
    return _column_number(letters), int(reference[len(letters) :] or 0)
