"""Files packed by bzip2, of which nothing is passed over."""

from __future__ import annotations

import bz2
import io
from pathlib import Path


class Bzip2File(io.RawIOBase):
    """Streams of bzip2 one after the other. What follows one and is none is damage, which BZ2File would not tell."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._stream = bz2.BZ2Decompressor()

    def read(self, size: int = -1) -> bytes:
        while True:
            stream, packed = self._stream, b""
            if stream.eof or stream.needs_input:
                packed = stream.unused_data or self._file.read(io.DEFAULT_BUFFER_SIZE)
                if not packed and not stream.eof:
                    raise EOFError("it ends before its last stream does")
                if not packed:
                    return b""
            if stream.eof:
                self._stream = stream = bz2.BZ2Decompressor()
            if unpacked := stream.decompress(packed, size):
                return unpacked

    def close(self) -> None:
        self._file.close()
        super().close()
