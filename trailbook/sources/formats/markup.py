"""Reads XML piece by piece, without what XML can be made to do: no entities of its own, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO
from xml.parsers import expat

from trailbook.errors import CellFailed
from trailbook.settings import MIB

CHUNK = MIB // 4
Attributes = dict[str, str]


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
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = start
        self._parser.EndElementHandler = end
        self._parser.CharacterDataHandler = text
        self._parser.EntityDeclHandler = _refuse_entities
        # The entities of a document type that is elsewhere; they would vanish without a word.
        self._parser.SkippedEntityHandler = lambda name, _: text(f"&{name};")

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
