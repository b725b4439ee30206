"""Line ends, escapes and quotes of a block, as arrays of places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trailbook.sources.delimited.fields import Marks

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LF, CR = 10, 13


def line_ends(data: Bytes) -> Places:
    """The byte after each line end."""
    is_end = data == LF
    returns = np.flatnonzero(data == CR)
    if len(returns):
        is_last = returns == len(data) - 1
        is_end[returns[is_last | (data[np.minimum(returns + 1, len(data) - 1)] != LF)]] = True
    return np.flatnonzero(is_end) + 1


@dataclass(frozen=True)
class Escapes:
    """Which bytes are escaped (None: not one), and where escapes stand before nothing that they escape."""

    is_escaped: Flags | None
    stray: Places


def escapes_in(data: Bytes, marks: Marks) -> Escapes:
    places = np.flatnonzero(data == marks.escape[0]) if marks.escape else np.empty(0, np.int64)
    if not len(places):
        return Escapes(None, places)
    numbers = np.arange(len(places))
    starts_run = np.concatenate(([True], np.diff(places) != 1))
    in_run = numbers - np.maximum.accumulate(np.where(starts_run, numbers, 0))
    # Of escapes in a row every second one is escaped itself.
    active = places[in_run % 2 == 0]
    following = data[np.minimum(active + 1, len(data) - 1)]
    escapes = (active + 1 < len(data)) & among(following, marks.delimiter + marks.quote + marks.escape)
    is_escaped = np.zeros(len(data), np.bool_)
    is_escaped[active[escapes] + 1] = True
    return Escapes(is_escaped, active[~escapes])


class Quotes:
    """The quotes of a block, if read as if every one opened or closed something.

    A doubled quote inside quotes then closes and opens. Whether one opens depends on whether their number before it is
    even, counted from where a record is known to start: there are two cases, and mostly one is enough.
    """

    def __init__(self, data: Bytes, ends: Places, escapes: Escapes, marks: Marks) -> None:
        places = np.flatnonzero(data == marks.quote[0])
        if escapes.is_escaped is not None:
            places = places[~escapes.is_escaped[places]]
        self._places = places
        self._data = np.pad(data, 1, constant_values=LF)
        self._is_escaped = None if escapes.is_escaped is None else np.concatenate(([False], escapes.is_escaped))
        self._bounds = marks.delimiter + marks.quote + b"\r\n"
        self._commented = _first_in_comments(data, places, ends, marks)
        is_odd_end = np.searchsorted(places, ends) % 2 == 1
        self._ends = (ends[~is_odd_end], ends[is_odd_end])
        self._wrong: dict[int, Places] = {}

    def stretch(self, start: int) -> tuple[Places, bool]:
        """Where records start after one that starts there, up to the first that is not well-formed, if there is one."""
        first = int(self._places.searchsorted(start))
        ends = self._ends[first % 2]
        wrong = self._wrong_if(first % 2)
        number = wrong.searchsorted(first)
        if number < len(wrong):
            place = self._places[wrong[number]]
        elif (len(self._places) - first) % 2:
            place = self._places[-1]
        else:
            return ends[ends.searchsorted(start, "right") :], False
        return ends[ends.searchsorted(start, "right") : ends.searchsorted(place, "right")], True

    def _wrong_if(self, first: int) -> Places:
        """The numbers of quotes that can't be what they should be, if those of even or odd number open something."""
        if first not in self._wrong:
            is_wrong = np.zeros(len(self._places), np.bool_)
            is_wrong[first::2] = ~self._could_open(self._places[first::2])
            is_wrong[1 - first :: 2] = ~self._could_close(self._places[1 - first :: 2])
            is_wrong[self._commented[self._commented % 2 == first]] = True
            self._wrong[first] = np.flatnonzero(is_wrong)
        return self._wrong[first]

    def _could_open(self, places: Places) -> Flags:
        # The array has one byte more at its start: this is the byte before.
        could = among(self._data[places], self._bounds)
        return could if self._is_escaped is None else could & ~self._is_escaped[places]

    def _could_close(self, places: Places) -> Flags:
        return among(self._data[places + 2], self._bounds)


def _first_in_comments(data: Bytes, places: Places, ends: Places, marks: Marks) -> Places:
    """The numbers of the first quotes in lines that start like comments: they open nothing."""
    if not marks.comment:
        return np.empty(0, np.int64)
    starts = np.concatenate((np.zeros(1, np.int64), ends[: np.searchsorted(ends, len(data))]))
    is_comment = data[starts] == marks.comment[0]
    first = np.searchsorted(places, starts[is_comment])
    after = np.searchsorted(places, np.append(starts[1:], len(data))[is_comment])
    found: Places = first[first < after]
    return found


def among(data: Bytes, wanted: bytes) -> Flags:
    table = np.zeros(256, np.bool_)
    table[list(wanted)] = True
    return table[data]
