"""Reads XML piece by piece, without what XML can be made to do: no entities of its own, nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import IO
from xml.parsers import expat

from trailbook.errors import CellFailed
from trailbook.settings import MIB

CHUNK = MIB // 4
Attributes = dict[str, str]
_TAG = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*+>""")
_FOREIGN = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)")
_WIDE = {"utf-16-le": b"<\0", "utf-16-be": b"\0<"}


class Malformed(ValueError):
    """It is no XML from here on."""

    def __init__(self, error: expat.ExpatError) -> None:
        super().__init__(expat.ErrorString(error.code))
        self.line = error.lineno
        self.column = error.offset + 1


class Markup:
    """Tells of elements as they begin and end. Call `read` once, with a file from its beginning."""

    def __init__(
        self,
        start: Callable[[str, Attributes], None],
        end: Callable[[str], None] = lambda name: None,
        text: Callable[[str], None] = lambda data: None,
    ) -> None:
        self._encoding = "utf-8"
        self._is_foreign = False
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start = start
        self._parser.XmlDeclHandler = self._declared
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EndElementHandler = end
        self._parser.CharacterDataHandler = text
        self._parser.EntityDeclHandler = _refuse_entities
        # The entities of a document type that is elsewhere; they would vanish without a word.
        self._parser.SkippedEntityHandler = lambda name, _: text(f"&{name};")

    def _doctype(self, name: str, system: str | None, public: str | None, has_subset: bool) -> None:
        if system or public:
            self._parser.StartElementHandler = self._start_whole

    def _start_whole(self, name: str, attributes: Attributes) -> None:
        """In attributes, too, the entities of a document type that is elsewhere stay as they are written."""
        text, encoding = self._input() if self._is_foreign else (b"", None)
        tag = _TAG.match(text)
        if tag and _FOREIGN.search(tag[0]):
            again = expat.ParserCreate(encoding)
            again.StartElementHandler = lambda _, found: attributes.update(found)
            again.Parse(_FOREIGN.sub(b"&amp;", tag[0]))
        self._start(name, attributes)

    def _input(self) -> tuple[bytes, str]:
        """What follows, in an encoding that has bytes for ASCII."""
        text = self._parser.GetInputContext() or b""
        for encoding, start in _WIDE.items():
            if text.startswith(start):
                return text.decode(encoding, "replace").encode(), "utf-8"
        return text, self._encoding

    def _declared(self, version: str, encoding: str | None, standalone: int) -> None:
        self._encoding = encoding or self._encoding

    @property
    def line(self) -> int:
        return self._parser.CurrentLineNumber

    @property
    def offset(self) -> int:
        return self._parser.CurrentByteIndex

    def read(self, source: IO[bytes]) -> Iterator[None]:
        """Reads on whenever asked; Malformed where there is no XML any more."""
        try:
            while chunk := source.read(CHUNK):
                self._is_foreign = self._is_foreign or bool(_FOREIGN.search(chunk))
                self._parser.Parse(chunk, False)
                yield
            self._parser.Parse(b"", True)
            yield
        except expat.ExpatError as error:
            raise Malformed(error) from error


def _refuse_entities(name: str, *_: object) -> None:
    raise CellFailed(
        f"It declares an entity, {name}, and those can be made to fill the memory or to read files here."
        " Write out what it stands for."
    )


def tags(source: IO[bytes]) -> list[tuple[str, Attributes]]:
    """The elements of a small file, without their prefixes, in the order in which they begin."""
    found: list[tuple[str, Attributes]] = []
    for _ in Markup(lambda name, attributes: found.append((local(name), attributes))).read(source):
        pass
    return found


def local(name: str) -> str:
    return name.rpartition(":")[2]
