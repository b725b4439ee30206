"""Breaks text into lines that fit, the outermost groups first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

WIDTH = 79


@dataclass(eq=False)
class _Group:
    """Text that is broken at all of its places to break, or at none."""

    depth: int
    is_broken: bool = False
    undecided: int = 0


@dataclass(frozen=True)
class _Piece:
    """Text that waits to be written; with a group, it is a place where that may be broken."""

    text: str
    group: _Group | None = None
    indentation: int = 0


@dataclass
class Layout:
    """Takes text from left to right. What a line still has room for waits until it is known where the line ends.

    The methods without an underscore are those that `_repr_pretty_` is written for.
    """

    max_width: int = WIDTH
    indentation: int = 0
    _written: list[str] = field(default_factory=list)
    _column: int = 0
    _waiting: deque[_Piece] = field(default_factory=deque)
    _waiting_width: int = 0

    def __post_init__(self) -> None:
        root = _Group(0)
        self._open = [root]
        self._unbroken = [[root]]

    def text(self, text: str) -> None:
        """Write something that stays in one piece."""
        if self._waiting:
            self._wait(_Piece(text))
        else:
            self._write(text)

    def breakable(self, sep: str = " ") -> None:
        """Write a separator, or a new line if the group that is open is broken."""
        group = self._open[-1]
        if group.is_broken:
            self._start_line()
        else:
            group.undecided += 1
            self._wait(_Piece(sep, group, self.indentation))

    def break_(self) -> None:
        """Start a new line whatever there is room for."""
        if group := self._break_outermost():
            self._decide(group)
        self._start_line()

    def begin_group(self, indent: int = 0, open: str = "") -> None:
        if open:
            self.text(open)
        group = _Group(len(self._open))
        self._open.append(group)
        if group.depth == len(self._unbroken):
            self._unbroken.append([])
        self._unbroken[group.depth].append(group)
        self.indentation += indent

    def end_group(self, dedent: int = 0, close: str = "") -> None:
        self.indentation -= dedent
        group = self._open.pop()
        if not group.undecided:
            self._forget(group)
        if close:
            self.text(close)

    @contextmanager
    def group(self, indent: int = 0, open: str = "", close: str = "") -> Iterator[None]:
        self.begin_group(indent, open)
        try:
            yield
        finally:
            self.end_group(indent, close)

    @contextmanager
    def indent(self, indent: int) -> Iterator[None]:
        self.indentation += indent
        try:
            yield
        finally:
            self.indentation -= indent

    def finished(self) -> str:
        """All that was written."""
        self._write_waiting()
        return "".join(self._written)

    def _wait(self, piece: _Piece) -> None:
        self._waiting.append(piece)
        self._waiting_width += len(piece.text)
        while self._column + self._waiting_width > self.max_width:
            group = self._break_outermost()
            if group is None:
                return
            self._decide(group)

    def _break_outermost(self) -> _Group | None:
        """The group that is broken now. Those around it are, too: they have no place to break yet, but may get some."""
        for groups in self._unbroken:
            for number, group in enumerate(reversed(groups)):
                if group.undecided:
                    # Counted from the other end, as Jupyter does: what follows a broken key stays on its last line.
                    del groups[number]
                    group.is_broken = True
                    return group
            for group in groups:
                group.is_broken = True
            groups.clear()
        return None

    def _decide(self, group: _Group) -> None:
        while group.undecided:
            self._put_first()
        while self._waiting and self._waiting[0].group is None:
            self._put_first()

    def _put_first(self) -> None:
        piece = self._waiting.popleft()
        self._waiting_width -= len(piece.text)
        if piece.group:
            piece.group.undecided -= 1
            if piece.group.is_broken:
                self._write_line_end(piece.indentation)
                return
            if not piece.group.undecided:
                self._forget(piece.group)
        self._write(piece.text)

    def _forget(self, group: _Group) -> None:
        if group in self._unbroken[group.depth]:
            self._unbroken[group.depth].remove(group)

    def _start_line(self) -> None:
        self._write_waiting()
        self._write_line_end(self.indentation)

    def _write_waiting(self) -> None:
        while self._waiting:
            self._put_first()

    def _write(self, text: str) -> None:
        self._written.append(text)
        self._column += len(text)

    def _write_line_end(self, indentation: int) -> None:
        self._written.append("\n" + " " * indentation)
        self._column = indentation
