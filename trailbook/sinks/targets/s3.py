"""Files on S3."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote

from trailbook.errors import AddressRefused, NameTaken, NotExported
from trailbook.model.base import new_id
from trailbook.sources.places import Place, place_of
from trailbook.sources.s3 import open_s3, s3_said

if TYPE_CHECKING:
    from pyarrow.fs import S3FileSystem


@dataclass(frozen=True)
class S3Target:
    """An object, sent in parts as it is written; one that is there is replaced only if that is wanted."""

    url: str
    replace: bool = False
    anonymously: bool = False

    @property
    def name(self) -> str:
        return self._place.name

    @property
    def shown(self) -> str:
        return self._place.shown

    @property
    def host(self) -> str:
        """Who is asked to keep it."""
        return f"s3://{self._place.key.partition('/')[0]}"

    def beside(self, name: str) -> S3Target:
        folder = self.url.rstrip("/").rpartition("/")[0]
        return dataclasses.replace(self, url=f"{folder}/{quote(name)}", replace=True)

    def clear(self) -> None:
        place = self._place
        try:
            store = open_s3(anonymously=self.anonymously)
            if store.get_file_info(place.key).is_file:
                store.delete_file(place.key)
        except OSError as error:
            raise NotExported(f"{place.shown} can't be deleted: {s3_said(error)}.") from error

    @property
    def _place(self) -> Place:
        if not self.url.startswith("s3://"):
            raise AddressRefused(f"{self.url} can't be written to: write s3://bucket/path, or a path of this machine.")
        return place_of(self.url)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        from pyarrow.fs import FileType

        place = self._place
        try:
            store = open_s3(anonymously=self.anonymously)
            is_there = store.get_file_info(place.key).type is not FileType.NotFound
            if is_there and not self.replace:
                raise NameTaken(f"There is {place.shown} already. Choose another name, or say that it is replaced.")
            # Sent aside, since what is there would be lost if this failed. S3 moves at most 5 GB.
            key = f"{place.key}.{new_id()}.part" if is_there else place.key
            with _sent(store, key) as file:
                yield file
            if is_there:
                store.move(key, place.key)
        except OSError as error:
            raise NotExported(f"{place.shown} can't be written: {s3_said(error)}.") from error


@contextmanager
def _sent(store: S3FileSystem, key: str) -> Iterator[BinaryIO]:
    """An object that is being sent. One that breaks off is removed: Arrow has no way not to finish it."""
    file = store.open_output_stream(key, compression=None)
    try:
        yield file
        file.close()
    except BaseException:
        with suppress(OSError):
            file.close()
        with suppress(OSError):
            store.delete_file(key)
        raise
